/**
 * The rows of the operator door about the objects of a directory, answered from the runtime that has it open: those of
 * the page, and those that need the whole directory.
 */
import type { Clock } from '#base';
import { ok, type OperatorOperations, type ResultOf } from '#contract';
import type { BackupPart, DurableObjectId, ObjectRuntime, Repair } from '#objects';
import { createBackupHandler } from '../backup/send-backup.ts';
import { protocolVersion } from '../limits.ts';
import { createStoppingProgress, type OperatorCall, type OperatorHandlers } from '../operator-handlers.ts';
import { findId, findObject } from '../objects/find-object.ts';
import { inspectionHandlers } from '../objects/handlers.ts';
import { importObject } from './import-object.ts';
import { measureDisk, type MeasureEvents } from './measure-disk.ts';
import type { Inspection } from '../objects/inspection.ts';
import { createOwnerPolicy, followChange, type OnChanged } from '../objects/owner-policy.ts';
import { readHolder } from './read-holder.ts';

export interface DirectoryParts {
  readonly directory: string;
  readonly runtime: ObjectRuntime;
  /** Other parts that keep files in the directory and can copy them while in use. */
  readonly parts?: readonly BackupPart[];
  readonly onChanged?: OnChanged;
  readonly measureEvents?: MeasureEvents;
  /** The clock of the objects. */
  readonly clock?: Clock;
}

type Rows = Pick<
  OperatorHandlers,
  | 'operator.get'
  | 'operator.listObjects'
  | 'operator.listAlarms'
  | 'operator.listStoredValues'
  | 'operator.importObject'
  | 'operator.scrub'
  | 'operator.repair'
  | 'operator.backUp'
  | 'operator.measureDisk'
>;

export function createDirectoryHandlers(parts: DirectoryParts): Partial<OperatorHandlers> {
  const inspect = (call: OperatorCall): Inspection => ({
    runtime: parts.runtime,
    policy: createOwnerPolicy(parts.onChanged),
    onProgress: call.onProgress,
  });
  const inspected = Object.entries(inspectionHandlers).map(([id, handle]) => [
    id,
    (call: OperatorCall, input: { readonly path: Readonly<Record<string, string>> }) => {
      // Throws an error that lists the existing classes.
      if (input.path['class_name'] !== undefined) parts.runtime.namespace(input.path['class_name']);
      return handle(inspect(call), input as never);
    },
  ]);
  return {
    ...(Object.fromEntries(inspected) as Partial<OperatorHandlers>),
    ...createOwnHandlers(parts, inspect),
  };
}

function createOwnHandlers(parts: DirectoryParts, inspect: (call: OperatorCall) => Inspection): Rows {
  const { directory, runtime } = parts;
  return {
    'operator.get': async () => ok({ protocol: protocolVersion, holder: readHolder(directory) }),

    async *'operator.listObjects'(_call, { query: { class: only } }) {
      for (const className of only === undefined || only === '' ? runtime.classNames : [only])
        for await (const { id, name } of runtime.objects(className)) yield describeName(className, id, name);
    },

    async *'operator.listAlarms'(_call, { query: { class: only = '' } }) {
      for await (const { className, id, time } of runtime.alarms()) {
        if (only !== '' && only !== className) continue;
        const name = await runtime.nameOf(id);
        yield { ...describeName(className, id, name), time: new Date(time).toISOString() };
      }
    },

    async *'operator.listStoredValues'(call, { path }) {
      const { id } = await findObject(inspect(call), path);
      for await (const [key, value] of runtime.storedValues(id))
        yield { key, base64: Buffer.from(value).toString('base64') };
    },

    async 'operator.importObject'(call, { path, query }) {
      const id = findId(runtime, path);
      const { bytes, wal_bytes: walBytes, unless_changed_since: unlessChangedSince } = query;
      const request = { id, bytes, walBytes, unlessChangedSince };
      const follow = async (): Promise<void> => parts.onChanged?.(path['class_name']!, id);
      return ok({ undo: await followChange(() => importObject(parts, call, request), follow) });
    },

    async *'operator.scrub'(call) {
      const others = (parts.parts ?? []).map((part) => part.scrub?.() ?? []);
      for (const damages of [runtime.scrub({ onProgress: createStoppingProgress(call) }), ...others])
        for await (const { file, offset, problem } of damages) yield { file, offset, problem };
    },

    async *'operator.repair'(call, { body }) {
      const request = { dryRun: body?.dry_run === true, onProgress: createStoppingProgress(call) };
      for await (const repair of runtime.repair(request)) yield describeRepair(repair);
    },

    'operator.backUp': createBackupHandler(parts),

    'operator.measureDisk': () => measureDisk(parts),
  };
}

export type Repaired = ResultOf<OperatorOperations['operator.repair']>;

export function describeRepair({ object, outcome, file, problem, detail }: Repair): Repaired {
  const { className, id, name } = object ?? {};
  return {
    ...(className === undefined ? {} : { class: className }),
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    outcome,
    file,
    problem,
    detail,
  };
}

function describeName(
  className: string,
  id: DurableObjectId,
  name: string | undefined,
): ResultOf<OperatorOperations['operator.listObjects']> {
  return { class: className, id: id.toString(), ...(name === undefined ? {} : { name }) };
}
