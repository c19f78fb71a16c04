"""The command line: `app` runs the commands of the folder `commands`."""
