from enum import IntEnum


class ExitCode(IntEnum):
    """What the process tells the shell; numbers from 65 to 75 mean what sysexits.h says."""

    OK = 0
    FAILED = 1
    USAGE = 2
    INPUT_UNUSABLE = 65
    INPUT_MISSING = 66
    UNAVAILABLE = 69
    BUG = 70
    OUTPUT_UNUSABLE = 73
    IO_ERROR = 74
    BUSY = 75
    STATE_UNUSABLE = 78
    INTERRUPTED = 130
    PIPE_CLOSED = 141


MEANINGS = {
    ExitCode.OK: "done",
    ExitCode.FAILED: "a check failed, or differences were found",
    ExitCode.USAGE: "the command line or a setting is wrong",
    ExitCode.INPUT_UNUSABLE: "input data is unusable",
    ExitCode.INPUT_MISSING: "an input is not there or cannot be read",
    ExitCode.UNAVAILABLE: "a server does not answer",
    ExitCode.BUG: "a bug in newsdedup: please report it with the traceback",
    ExitCode.OUTPUT_UNUSABLE: "an output cannot be written",
    ExitCode.IO_ERROR: "an I/O error, such as a full disk",
    ExitCode.BUSY: "the state is in use by another process: try again later",
    ExitCode.STATE_UNUSABLE: "the state is damaged, of a newer version, or of other settings",
    ExitCode.INTERRUPTED: "interrupted (Ctrl-C)",
    ExitCode.PIPE_CLOSED: "the reader of the output went away, as `head` does",
}
