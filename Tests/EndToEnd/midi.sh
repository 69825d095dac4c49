# What the end-to-end tests of MIDI share: a fader box on an emulated USB bus, met by the kernel's
# own driver, and devices made by sequencer-tool.

# Long periods, because everything here is emulated and this is not about short ones.
period=2048

gadget=/sys/kernel/config/usb_gadget/box

# plug_box: a nanoKONTROL2 is plugged in; its other side is the card fmidi.
plug_box() {
  if [ ! -d $gadget ]; then
    mkdir -p $gadget/strings/0x409
    echo 0x0944 >$gadget/idVendor
    echo 0x0117 >$gadget/idProduct
    echo "KORG INC." >$gadget/strings/0x409/manufacturer
    echo nanoKONTROL2 >$gadget/strings/0x409/product
    mkdir -p $gadget/configs/c.1 $gadget/functions/midi.usb0
    ln -s $gadget/functions/midi.usb0 $gadget/configs/c.1/
  fi
  echo dummy_udc.0 >$gadget/UDC
}

pull_box() { echo >$gadget/UDC; }

# hand BYTES: what a hand does on the box.
hand() { amidi -p hw:fmidi -S "$1"; }

# client NAME: the number of a client of the sequencer.
client() { aconnect -l | sed -nE "s/^client ([0-9]+): '$1'.*/\1/p" | head -n 1; }

# Each test begins without the box, wherever the one before it has ended.
if [ -n "$(cat $gadget/UDC 2>/dev/null)" ]; then
  pull_box
  gone() { [ -z "$(client nanoKONTROL2)" ]; }
  wait_for 15 gone || fail "the box of another test is still there"
fi

# links NUMBER: the lines about what a client is connected to, either way.
links() {
  aconnect -l | awk -v number="$1" '
    /^client / { inside = ($2 == number ":") } inside && /Connect/ { print }'
}

# feeds FROM TO: whether the port sends to the client.
feeds() { links "$2" | grep 'Connected From' | grep -qE "[ ,:]$1([,[ ]|$)"; }

# offer ID CLIENT PORT…: a client with ports, until `withdraw ID`; its number is in $number.
offer() {
  local id=$1
  shift
  mkfifo "$scratch/$id.in"
  "$build/sequencer-tool" "$@" <"$scratch/$id.in" >"$scratch/$id.out" 2>&1 &
  declare -g "process_$id=$!"
  children+=($!)
  exec {descriptor}>"$scratch/$id.in"
  declare -g "descriptor_$id=$descriptor"
  wait_for 5 grep -q ready "$scratch/$id.out" || fail "$1 is not there"
  number=$(sed -n 's/^ready //p' "$scratch/$id.out")
}

# tell ID LINE: what a client does, see the head of sequencer-tool.
tell() {
  local name="descriptor_$1"
  echo "$2" >&"${!name}"
}

withdraw() {
  local name="descriptor_$1" process="process_$1"
  local descriptor=${!name}
  # What was started since has this end of the pipe too, so closing it would not do.
  tell "$1" quit
  exec {descriptor}>&-
  wait "${!process}" || true
  rm -f "$scratch/$1.in"
}

# connected TEXT [COUNT]: whether the router said of a device that it is connected, so many times.
connected() { said "MIDI: \"$1\" (port .* is connected" "${2:-1}"; }

off=00000000
one=3f800000
