/**
 * A process that runs one command after the other, as `CliSite` asks for them. What a command prints is captured, which must not
 * happen in the process of a test: its results go to the same standard output. It runs in the directory that is named.
 */
import { runCaptured } from '../../src/program/cli/testing.ts';

process.chdir(process.argv[2]!);
process.on('message', (args: string[]) => {
  void runCaptured(...args).then((outcome) => process.send!(outcome));
});
