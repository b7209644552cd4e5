/**
 * Supervises the process of `gatehouse dev`: one that is blocked by an endless loop or query is replaced by another on
 * the same port, and a signal stops the program whatever its code does.
 */
import { extname } from 'node:path';
import type { Log } from '#base';
import { type ChildEndedError, ChildProcess, SupervisedProcess } from '#processes';
import { exitCodes } from '../command.ts';
import { shutdownGraceMs, toExitCode, waitForSignal } from '../terminal/signals.ts';
import { debuggedMs } from './limits.ts';
import type { DevSetup } from './start-dev.ts';
import { createSupervisorLog, createTerminalLines } from '../terminal/lines.ts';

/** A busy machine may not schedule it for a while; killing it would cost every request. */
const silentMsMax = 10_000;

/** Older ends are irrelevant. */
const endsMax = 100;

export async function superviseDev(setup: DevSetup): Promise<number> {
  const signal = waitForSignal();
  const broken = Promise.withResolvers<number>();
  const log = createSupervisorLog(createTerminalLines(setup.format));
  /**
   * Passed to the next process, which derives the pauses of objects; loading that code here would double the start
   * time.
   */
  const ends: DevSetup['ends'][number][] = [];
  let { port } = setup;
  const supervised = new SupervisedProcess({
    isFirstNeeded: true,
    log,
    start: () =>
      new ChildProcess({
        name: 'the process of the Worker',
        module: new URL(`./dev-process${extname(import.meta.filename)}`, import.meta.url),
        setup: { ...setup, port, ends } satisfies DevSetup,
        log,
        output: 'inherit',
        statementMs: setup.inspectPort === undefined ? setup.statementMs : debuggedMs,
        stuckMs: setup.inspectPort === undefined ? setup.cpuMs : debuggedMs,
        silentMs: setup.inspectPort === undefined ? silentMsMax : debuggedMs,
      }),
    // Clients find the next process on the same port.
    onReady: (_child, url) => (port = Number(new URL(url as string).port)),
    onEnd: (_child, reason) => {
      const { kind } = reason;
      if (ends.push({ reason, atMs: Date.now() }) > endsMax) ends.shift();
      // Time would start over, and objects from its future would be inconsistent.
      if (setup.clockStart !== undefined && kind !== 'stopped') broken.resolve(exitCodes.failure);
    },
  });
  const failed = supervised.firstReady.then(
    () => new Promise<never>(() => {}),
    (error: unknown) => readFailedStart(error as ChildEndedError, log),
  );
  const code = await Promise.race([signal.then(toExitCode), failed, broken.promise]);
  await supervised.stop({ graceMs: 2 * shutdownGraceMs });
  return code;
}

/** A process that exits has reported the reason itself. */
function readFailedStart({ reason, message }: ChildEndedError, log: Log): number {
  if (reason.kind === 'exited') return reason.code;
  log.error('the Worker does not start', { reason: message });
  return exitCodes.failure;
}
