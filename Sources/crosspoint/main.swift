import Glibc
import Router

exit(CommandLineTool.run(CommandLine.arguments))
