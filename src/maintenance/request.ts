/** What can be asked of a directory, and what comes back. */
import { MaintenanceError } from './error.ts';
import { textBytesMax, valueCharactersMax } from './limits.ts';
import type { Moment } from './moment.ts';

/** An object: its class, and its name or the 64 hexadecimal digits of its id. */
export interface ObjectPlace {
  readonly className: string;
  readonly object: string;
}

export type MaintenanceRequest =
  | { readonly do: 'list'; readonly className?: string }
  | ({ readonly do: 'history'; readonly limit: number; readonly at?: Moment } & ObjectPlace)
  | ({ readonly do: 'restore'; readonly at: Moment } & ObjectPlace)
  | ({ readonly do: 'export'; readonly at?: Moment } & ObjectPlace)
  | ({
      readonly do: 'import';
      /** The lengths of the files that follow: the database, and its write-ahead log if it has one. */
      readonly bytes: number;
      readonly walBytes: number;
      /** Fails if the object has written after this bookmark. */
      readonly unlessChangedSince?: string;
    } & ObjectPlace)
  | ({ readonly do: 'values' } & ObjectPlace)
  | { readonly do: 'storage'; readonly className: string }
  | { readonly do: 'alarms'; readonly className?: string }
  | ({ readonly do: 'run-alarm' } & ObjectPlace)
  | ({ readonly do: 'cancel-alarm' } & ObjectPlace)
  | ({
      readonly do: 'put';
      readonly key: string;
      /** The stored bytes, in base64. */
      readonly value: string;
    } & ObjectPlace)
  | ({ readonly do: 'delete'; readonly key: string } & ObjectPlace)
  | { readonly do: 'scrub' }
  | { readonly do: 'repair'; readonly dryRun: boolean }
  | { readonly do: 'backup' };

export type Row = Readonly<Record<string, string | number | undefined>>;

type Fields = Readonly<Record<string, unknown>>;

/** Reads a request that came over a socket. */
export function readRequest(value: unknown): MaintenanceRequest {
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Fields;
  switch (fields['do']) {
    case 'list':
    case 'alarms':
      return fields['className'] === undefined
        ? { do: fields['do'] }
        : { do: fields['do'], className: readText(fields, 'className') };
    case 'run-alarm':
    case 'cancel-alarm':
      return { do: fields['do'], ...readPlace(fields) };
    case 'put':
      return {
        do: 'put',
        ...readPlace(fields),
        key: readText(fields, 'key'),
        value: readBytes(fields, 'value'),
      };
    case 'delete':
      return { do: 'delete', ...readPlace(fields), key: readText(fields, 'key') };
    case 'history':
      return { do: 'history', ...readPlace(fields), ...readAt(fields), limit: readCount(fields, 'limit') };
    case 'restore':
      return { do: 'restore', ...readPlace(fields), at: readMoment(fields['at']) };
    case 'export':
      return { do: 'export', ...readPlace(fields), ...readAt(fields) };
    case 'import':
      return { do: 'import', ...readPlace(fields), ...readSizes(fields), ...readCondition(fields) };
    case 'storage':
      return { do: 'storage', className: readText(fields, 'className') };
    case 'values':
      return { do: 'values', ...readPlace(fields) };
    case 'scrub':
    case 'backup':
      return { do: fields['do'] };
    case 'repair':
      return { do: 'repair', dryRun: fields['dryRun'] !== false };
    default:
      throw refuse('do', 'one of the requests that this version knows');
  }
}

function readPlace(fields: Fields): ObjectPlace {
  return { className: readText(fields, 'className'), object: readText(fields, 'object') };
}

function readAt(fields: Fields): { at?: Moment } {
  return fields['at'] === undefined ? {} : { at: readMoment(fields['at']) };
}

function readMoment(value: unknown): Moment {
  const { bookmark, time } = (value ?? {}) as Fields;
  if (typeof bookmark === 'string' && bookmark.length <= textBytesMax) return { bookmark };
  if (typeof time === 'number' && Number.isFinite(time)) return { time };
  throw refuse('at', 'a bookmark or a time');
}

function readSizes(fields: Fields): { bytes: number; walBytes: number } {
  return { bytes: readCount(fields, 'bytes'), walBytes: readCount(fields, 'walBytes') };
}

function readCondition(fields: Fields): { unlessChangedSince?: string } {
  if (fields['unlessChangedSince'] === undefined) return {};
  return { unlessChangedSince: readText(fields, 'unlessChangedSince') };
}

function readText(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '' || value.length > textBytesMax) {
    throw refuse(name, `a text of 1 to ${textBytesMax} characters`);
  }
  return value;
}

function readBytes(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || value.length > valueCharactersMax)
    throw refuse(name, `bytes in base64, at most ${valueCharactersMax} characters`);
  return value;
}

function readCount(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw refuse(name, 'a whole number');
  return value;
}

function refuse(name: string, rule: string): MaintenanceError {
  return new MaintenanceError(`the request is not valid: ${name} must be ${rule}`, {
    code: 'REQUEST_INVALID',
  });
}
