/** Starts a program below its watchdog, which forwards signals. */
import { keepPorts } from '#server';
import { keptSockets, type ParentLink, type RunningChild } from '#processes';
import { describeLog, readConfigFrom, startProgram } from '../configured.ts';
import { parseCommand } from '../run-command.ts';
import { findServingCommand } from '../serving-commands.ts';
import type { PassedSignal, ProgramFacts, ProgramSetup } from './program-facts.ts';

/** CPU time that a step of the start may take: there may be much to read, and killing it would only restart it. */
const startTurnMsMax = 600_000;

/** The first word is the command. */
export async function startWatched(
  parent: ParentLink,
  [name, ...words]: readonly string[],
  { before, sockets: names }: ProgramSetup,
): Promise<RunningChild> {
  using _start = parent.limitTurn(startTurnMsMax);
  const { handles } = parent;
  keptSockets.inherit({ names, handles, hold: (socket, handle) => parent.hold(socket, handle) });
  const command = await findServingCommand(name)!();
  const { settings: args, program } = command.describe(parseCommand(command, words));
  const written = readConfigFrom(args);
  const config = before === undefined ? written : keepPorts(written, before.ports);
  const started = await startProgram(program, { args, config, isAgain: before !== undefined });
  let stopSignal = '';
  parent.listen((body) => {
    const { signal } = body as PassedSignal;
    if (signal === 'SIGHUP') started.program.onHangUp();
    else if (signal === 'SIGUSR2') void started.reload();
    else stopSignal = signal;
  });
  const facts: ProgramFacts = {
    ports: program.readPorts(started.program),
    log: describeLog(config),
    shutdownGraceMs: config.settings.shutdownGrace,
    sockets: keptSockets.settle(),
    outlivedSockets: keptSockets.outlived,
  };
  return {
    value: facts,
    stuckMs: program.getStuckMs(config),
    statementMs: config.settings.objectStatementStuck,
    // Not earlier: a program that ends before its watchdog knows that it is ready counts as a failed start.
    announce: () => started.announce(),
    stop: () => started.stop(stopSignal),
  };
}
