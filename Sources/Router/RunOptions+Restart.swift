extension RunOptions {
  /// The names of the options that differ from those in force and can only be changed by a start.
  package func namesForRestart(against running: RunOptions) -> [String] {
    var names: [String] = []
    if device != running.device { names.append("the device") }
    if inputs != running.inputs { names.append("inputs") }
    if outputs != running.outputs { names.append("outputs") }
    if rateHz != running.rateHz { names.append("rate") }
    if periodFrames != running.periodFrames { names.append("period") }
    if periods != running.periods { names.append("periods") }
    if oscPort != running.oscPort { names.append("osc-port") }
    if listen != running.listen { names.append("listen") }
    if glideMilliseconds != running.glideMilliseconds { names.append("glide") }
    if name != running.name { names.append("name") }
    if state != running.state { names.append("state") }
    if record != running.record { names.append("record") }
    return names
  }

  /// The names of the options that differ from those in force and can be changed by a reload.
  package func namesForReload(against running: RunOptions) -> [String] {
    var names: [String] = []
    if allow != running.allow { names.append("allow") }
    if clients != running.clients { names.append("client") }
    if mappings != running.mappings { names.append("map") }
    if logLevel != running.logLevel { names.append("log") }
    if printsMeters != running.printsMeters { names.append("meters") }
    if waitsForDevice != running.waitsForDevice { names.append("no-wait") }
    return names
  }
}
