// The signals that the program takes, as something to poll.
#pragma once

/// Blocks SIGTERM, SIGINT and SIGHUP in the calling thread and those that it starts, ignores
/// SIGPIPE, and gives a descriptor that becomes readable when one of the three comes; or -errno.
int crosspoint_signals_open(void);

/// The signal that has come, once, or 0.
int crosspoint_signals_take(int descriptor);
