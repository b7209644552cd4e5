/**
 * Processes that are started before this one knows their work, so that both load their code at the same time. Code that
 * needs a process with that module takes it and begins its work; processes that are not needed are ended.
 */
import { createLog } from '#base';
import { ChildProcess } from './child-process.ts';
import { heapBytesMaxDefault } from './limits.ts';
import { listLifelines } from './orphans/orphans.ts';

const waiting = new Map<string, ChildProcess>();

export interface PreforkOptions {
  readonly module: URL;
  /** Fixed when a process starts, so a process with another limit is not used. */
  readonly heapBytesMax: number;
}

/** Its heap has the default limit. */
export function prefork(module: URL): void {
  // Used until its work begins: earlier output reports that its code cannot be loaded.
  const log = createLog({ level: 'warn', format: 'json', write: (line) => process.stderr.write(line) });
  const child = new ChildProcess({
    name: 'process in waiting',
    module,
    setup: undefined,
    isWaiting: true,
    log,
    heapBytesMax: heapBytesMaxDefault,
    passed: listLifelines(),
  });
  waiting.set(module.href, child);
}

export function takePreforked({ module, heapBytesMax }: PreforkOptions): ChildProcess | undefined {
  if (heapBytesMax !== heapBytesMaxDefault) return undefined;
  const child = waiting.get(module.href);
  waiting.delete(module.href);
  return child;
}

export function endPreforked(): void {
  for (const child of waiting.values()) child.kill({ kind: 'stopped' });
  waiting.clear();
}
