/**
 * The watchdog of a program: the process that the user starts, with the program below it. A program that hangs or
 * crashes is replaced by another one on the same ports, and a signal stops the program whatever it does. The watchdog
 * holds the sockets on which the program's child processes accept connections: such connections wait for the next
 * program. If this process is killed, the program ends, too.
 *
 * It loads no more than it needs, because it occupies memory while the program runs.
 */
import { createLog, type Log } from '#base';
import {
  ChildEndedError,
  ChildProcess,
  describeEnd,
  shrinkHeap,
  type StartedProcess,
  SupervisedProcess,
} from '#processes';
import { exitCodes } from '../command.ts';
import { toExitCode, waitForSignal } from '../terminal/signals.ts';
import { KeptHandles } from './kept-sockets.ts';
import { hideSecrets } from './hide-secrets.ts';
import type { PassedSignal, ProgramFacts, ProgramSetup } from './program-facts.ts';
import { spawnProgram } from './spawn-program.ts';

/** A busy machine may not schedule the program for a while; killing it would cost every request. */
const silentMsMax = 10_000;

/** Moving the objects to another number of hosts can take hours, and the log reports its progress. */
const startMsMax = 24 * 60 * 60_000;

/** For closing the store, after the grace period of the requests; and for a program that is still starting. */
const closeMsMax = 20_000;

/** `first` is a program that is already started. */
export async function superviseProgram(args: readonly string[], first: StartedProcess): Promise<number> {
  const signal = waitForSignal();
  hideSecrets(args, args[0]!);
  let facts: ProgramFacts | undefined;
  const log = createLogLike(() => facts);
  let isFirst = true;
  const spawn = (): StartedProcess => {
    const started = isFirst ? first : spawnProgram(args);
    isFirst = false;
    return started;
  };
  const held = new KeptHandles();
  const supervised = new SupervisedProcess({
    isFirstNeeded: 'unless killed',
    log,
    start: () =>
      new ChildProcess({
        name: 'program',
        started: spawn(),
        setup: { before: facts, sockets: held.names } satisfies ProgramSetup,
        handles: held.handles,
        onHandle: (name, handle) => held.add(name, handle),
        onOrphanEnd: ({ orphan: pid, ms, work }) =>
          log.error('a process does not respond; ending it', { pid, ms, ...work }),
        log,
        silentMs: silentMsMax,
        startMsMax,
      }),
    onReady(_child, value) {
      facts = value as ProgramFacts;
      held.keepOnly(facts.sockets);
      // From now on it only waits.
      shrinkHeap();
    },
    onEnd(child) {
      // The next start may be long: refuse clients instead of making them wait, unless another process accepts.
      if (!child.isReady) held.keepOnly(facts?.outlivedSockets ?? []);
    },
  });
  const pass = (name: NodeJS.Signals): void =>
    void supervised.child?.send({ signal: name } satisfies PassedSignal);
  // On a terminal, it means that the terminal is closed, and the program ends with it.
  if (!process.stderr.isTTY) process.on('SIGHUP', pass);
  process.on('SIGUSR2', pass);
  const failed = supervised.firstReady.then(() => new Promise<never>(() => {}), reportFailedStart);
  const end = await Promise.race([signal, failed]);
  if (typeof end === 'number') return end;
  // First, so that sockets that the program closes are really closed.
  held.keepOnly([]);
  pass(end);
  await supervised.stop({ graceMs: (facts?.shutdownGraceMs ?? 0) + closeMsMax });
  return toExitCode(end);
}

/** Returns the exit code. A program that exits has reported the reason itself. */
function reportFailedStart(error: unknown): number {
  const reason = error instanceof ChildEndedError ? error.reason : undefined;
  if (reason?.kind === 'exited') return reason.code;
  const text = reason === undefined ? String(error) : describeEnd(reason);
  process.stderr.write(`gatehouse: the program did not start: ${text}\n`);
  return exitCodes.failure;
}

/** Formats lines like the program that was ready last. */
function createLogLike(read: () => ProgramFacts | undefined): Log {
  const write = (line: string): void => void process.stderr.write(line);
  const find = (): Log => createLog({ ...(read()?.log ?? { level: 'warn', format: 'json' }), write });
  return {
    debug: (...entry) => find().debug(...entry),
    info: (...entry) => find().info(...entry),
    warn: (...entry) => find().warn(...entry),
    error: (...entry) => find().error(...entry),
  };
}
