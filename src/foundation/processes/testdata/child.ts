/** A child for the tests: does what its messages request. */
import { closeSync, writeSync } from 'node:fs';
import { createLog } from '#base';
import { noteRule, noteStatement, noteZone, registerWork, WorkName } from '#work';
import { runChild } from '../run-child.ts';

type Order = 'echo' | 'loop' | 'statement' | 'log' | 'throw' | 'grow';

/** Writes to a descriptor, as any code in a process can. */
interface WriteOrder {
  readonly fd: number;
  readonly bytes: Uint8Array;
  readonly isEndless?: boolean;
  /** Closes the descriptor instead of writing to it. */
  readonly isClosed?: boolean;
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

const kept: Buffer[] = [];

runChild(async (parent, setup) => {
  const { mode } = setup as { readonly mode?: 'fail' | 'exit' | 'hang' };
  if (mode === 'fail') throw new TypeError('there is no such file');
  if (mode === 'exit') process.exit(3);
  if (mode === 'hang') await new Promise(() => {});
  const log = createLog({ level: 'info', format: 'json', write: (line) => process.stderr.write(line) });
  const orders: Record<Order, () => void> = {
    echo: () => void parent.send('echo'),
    loop() {
      noteZone(registerWork('a'.repeat(32)));
      noteRule(registerWork('rule-1'));
      for (;;);
    },
    statement() {
      noteStatement(new WorkName(`SELECT ${'1 + '.repeat(500)}`).number, new WorkName('Room a').number);
      for (;;);
    },
    log() {
      log.warn('something', { of: 'note', error: new RangeError('too far') });
      process.stdout.write('printed\n');
    },
    throw() {
      throw new RangeError('out of range');
    },
    grow: () => void kept.push(Buffer.alloc(256 * 1024 * 1024, 1)),
  };
  parent.listen((order) => {
    if (typeof order === 'string') return orders[order as Order]();
    const { fd, bytes, isEndless = false, isClosed = false } = order as WriteOrder;
    if (isClosed) return closeSync(fd);
    do writeAll(fd, bytes);
    while (isEndless);
  });
  return {
    value: { pid: process.pid, flags: process.execArgv, variables: Object.keys(process.env) },
    async stop() {
      await parent.send('stopping');
    },
  };
});
