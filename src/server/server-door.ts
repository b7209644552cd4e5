/** What operators can ask of `gatehouse serve` through the socket in its data directory. */
import type { Log, PrivateListener } from '#base';
import type { Control } from '#control';

import { createDirectoryHandlers, openDoor } from '#operator';
import type { Config } from './config/read-config.ts';
import { workersPart } from './workers/zone-workers.ts';

export interface ServerDoorParts {
  readonly config: Config;
  readonly log: Log;
  readonly control: Control;
}

export function openServerDoor({
  config,
  log,
  control,
}: ServerDoorParts): Promise<PrivateListener | undefined> {
  const { data: directory } = config.settings;
  const { files, runtime } = control;
  const handlers = createDirectoryHandlers({
    directory,
    runtime,
    // Each Worker has a directory that is looked after by itself: another process has it open.
    parts: [...(files?.parts ?? []), workersPart],
    onChanged: (className, id) => control.followChanged(className, id),
  });
  const onError = (error: unknown): void => log.error('a request of an operator failed', { error });
  return openDoor({ directory, handlers, onError, warn: (message) => log.warn(message) });
}
