/** Starts the program of `gatehouse serve` below its watchdog: signals come from there. */
import { keepPorts, readPorts } from '#server';
import type { ParentLink, RunningChild } from '#processes';
import { describeLog, readConfigFrom, startProgram } from '../configured.ts';
import { parseCommand } from '../run-command.ts';
import { createServeProgram, serveCommand } from '../serve.ts';
import type { PassedSignal, ProgramFacts, ProgramSetup } from './program-facts.ts';

/** CPU time that a step of a start may take: there may be much to read, and to give up would only begin it again. */
const startTurnMsMax = 600_000;

export async function startServed(
  parent: ParentLink,
  words: readonly string[],
  { before }: ProgramSetup,
): Promise<RunningChild> {
  using _start = parent.allowLongTurn(startTurnMsMax);
  const args = parseCommand(serveCommand, words);
  const written = readConfigFrom(args);
  const config = before === undefined ? written : keepPorts(written, before.ports);
  const command = createServeProgram({ isAgain: before !== undefined });
  const started = await startProgram(command, { args, config });
  let stopSignal = '';
  parent.listen((body) => {
    const { signal } = body as PassedSignal;
    if (signal === 'SIGHUP') started.program.onHangUp();
    else if (signal === 'SIGUSR2') void started.reload();
    else stopSignal = signal;
  });
  const facts: ProgramFacts = {
    ports: readPorts(started.program.ready),
    log: describeLog(config),
    shutdownGraceMs: config.settings.shutdownGrace,
  };
  return {
    value: facts,
    stuckMs: config.settings.objectHostStuck,
    stop: () => started.stop(stopSignal),
  };
}
