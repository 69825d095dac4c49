# What the end-to-end tests share. Each of them runs in the virtual ALSA machine, from the root of
# the package, against the release build:
#
#   scripts/alsa-vm run -- Tests/EndToEnd/route
#
# and Tests/EndToEnd/run runs them all. The router sits on one card of the loopback driver: its
# inputs are what is played on hw:Loopback,0,0, and its outputs are heard on hw:Loopback,0,1.
set -euo pipefail
build=${CROSSPOINT_BUILD:-.build/release}
crosspoint=$build/crosspoint
tool=$build/signal-tool
scratch=$(mktemp -d)
log=$scratch/log
port=9000
channels=8
period=256
router=
children=()

finish() {
  local status=$?
  kill "${children[@]}" $router 2>/dev/null || true
  if [ "$status" != 0 ] && [ -s "$log" ]; then sed 's/^/  | /' "$log"; fi
  rm -rf "$scratch"
  exit "$status"
}
trap finish EXIT

fail() {
  echo "  $*"
  exit 1
}

# Milliseconds since some moment.
now() { local time=${EPOCHREALTIME/./}; echo $((time / 1000)); }

# wait_for SECONDS COMMAND…: until the command succeeds, looking often; else it fails.
wait_for() {
  local deadline=$(($(now) + $1 * 1000))
  shift
  until "$@" 2>/dev/null; do
    (($(now) < deadline)) || return 1
    sleep 0.05
  done
}

# start_router OPTION…: on the loopback card, in the background, its lines in $log.
start_router() {
  "$crosspoint" run --no-state --inputs $channels --outputs $channels --period $period --periods 4 \
    --osc-port $port "$@" >"$log" 2>&1 &
  router=$!
}

loopback=(--capture hw:CARD=Loopback,DEV=1,SUBDEV=0 --playback hw:CARD=Loopback,DEV=1,SUBDEV=1)

# said TEXT [COUNT]: whether the router printed lines with the text, so many or more.
said() { (($(grep -c -e "$1" "$log") >= ${2:-1})); }

# play SECONDS: tones into the router's inputs, a different one into each.
play() {
  [ -s "$scratch/tones-$1" ] || "$tool" tones $channels "$1" >"$scratch/tones-$1"
  aplay -q -D hw:Loopback,0,0 -t raw -f S32_LE -r 48000 -c $channels --buffer-time 200000 \
    "$scratch/tones-$1" 2>"$scratch/aplay" &
  player=$!
  children+=($player)
  wait_for 5 grep -q RUNNING /proc/asound/Loopback/pcm0p/sub0/status || fail "aplay does not run"
}

# record FILE: what comes out of the router, until it is stopped.
record() {
  arecord -q -D hw:Loopback,0,1 -t raw -f S32_LE -r 48000 -c $channels --buffer-time 200000 \
    "$1" 2>"$scratch/arecord" &
  recorder=$!
  children+=($recorder)
  wait_for 5 grep -q RUNNING /proc/asound/Loopback/pcm0c/sub1/status || fail "arecord does not run"
}

# has_grown FILE SECONDS: whether so much has been recorded.
has_grown() { (($(stat -c %s "$1") > $2 * 48000 * 4 * channels)); }

# stop PROCESS: gently, and until it has ended.
stop() {
  kill "$1" 2>/dev/null || true
  wait "$1" 2>/dev/null || true
}

# question ADDRESS: what the router answers, as hexadecimal digits.
question() {
  local packet=$1
  packet+='\0'
  local length=$((${#1} + 1))
  while ((length % 4)); do
    packet+='\0'
    length=$((length + 1))
  done
  exec 7<>"/dev/udp/127.0.0.1/$port" || return 1
  printf "$packet"',\0\0\0' >&7 || return 1
  timeout 2 dd bs=65536 count=1 <&7 2>/dev/null | od -A n -v -t x1 | tr -d ' \n'
  exec 7>&-
}

# ask ADDRESS: the float that the router answers, as the hexadecimal digits of its four bytes.
ask() { question "$1" | tail -c 8; }

# counter NAME: what /engine/status says of it.
counter() {
  question /engine/status | awk -v wanted="$1" '
    function byte(place) { return (index("0123456789abcdef", substr($0, 2 * place + 1, 1)) - 1) * 16 \
      + index("0123456789abcdef", substr($0, 2 * place + 2, 1)) - 1 }
    function text(  result, code) {
      result = ""
      while ((code = byte(at)) > 0) { result = result sprintf("%c", code); at++ }
      at += 4 - at % 4
      return result
    }
    function number(bytes,  result) {
      result = 0
      for (; bytes > 0; bytes--) result = result * 256 + byte(at++)
      return result
    }
    {
      at = 0
      text()
      types = text()
      for (place = 2; place <= length(types); place++) {
        type = substr(types, place, 1)
        if (type == "s") value = text()
        else value = number(type == "h" || type == "d" || type == "t" ? 8 : 4)
        if (place % 2 == 0) name = value
        else if (name == wanted) { print value; exit }
      }
    }'
}

# answers ADDRESS HEX: whether the router answers with just that float.
answers() { [ "$(ask "$1")" = "$2" ]; }

# set_gain ADDRESS VALUE
set_gain() { oscsend localhost $port "$1" f "$2"; }

# unplug and plug: the card of the loopback driver, under whatever runs on it.
unplug() { echo snd_aloop.0 >/sys/bus/platform/drivers/snd_aloop/unbind; }
plug() { echo snd_aloop.0 >/sys/bus/platform/drivers/snd_aloop/bind; }

# expect CONDITION TEXT: a condition of awk over numbers, or the text as the reason to fail.
expect() { awk "BEGIN { exit !($1) }" || fail "$2 (not so: $1)"; }

# expect_gain FILE OUTPUT INPUT GAIN: within 0.01 dB, of tones that are at half of full scale.
expect_gain() {
  local level
  level=$("$tool" level "$1" $channels "$2" $((997 + 100 * $3)))
  expect "$level > 0 && (20 * log($level / ($4 * 0.5)) / log(10)) ^ 2 <= 0.0001" \
    "output $2 carries input $3 at $level of full scale and not at $4 of 0.5"
}

# expect_silence FILE OUTPUT
expect_silence() {
  local peak
  peak=$("$tool" peak "$1" $channels "$2")
  expect "$peak == 0" "output $2 is not silent"
}
