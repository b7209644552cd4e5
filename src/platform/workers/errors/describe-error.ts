/**
 * Errors for the author of a Worker: the message, the frames in the Worker's own files by their paths, and the causes.
 * Frames of Gatehouse and of Node do not help the author and are omitted, unless there are no others and the error has
 * no code that explains it: then it may be our bug.
 */
import { isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasSystemCode, programRoot } from '#base';
import { ConfigError } from '../config/config-error.ts';
import { showAuthoredNames } from './authored-names.ts';
import { findSource } from './uploaded-maps.ts';

const root = fileURLToPath(programRoot);
/** The folders of sources in a clone, and of their build in a package, whose source maps name the sources. */
const ownFolders = ['src', 'dist', 'package'].map((folder) => join(root, folder) + sep);

const frame = /^ {4}at (?:(.*) \()?((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/;
/** The URL of a file as the module loader writes it, to load it again. */
const loadedUrl = /file:\/\/[^\s?]+\?gatehouse=\d+/g;
const causesMax = 5;

export function describeError(error: unknown): string {
  return describeCauses(error, causesMax);
}

/** Whether the Worker's own code is on the stack. */
export function isThrownByWorker(error: unknown): boolean {
  return error instanceof Error && readFrames(error).some((line) => shorten(line) !== undefined);
}

function describeCauses(error: unknown, causesLeft: number): string {
  if (error instanceof ConfigError) return error.message;
  if (!(error instanceof Error)) return `thrown: ${toText(error)}`;
  const text = describeOne(error);
  return error.cause === undefined || causesLeft === 0
    ? text
    : `${text}\ncaused by: ${describeCauses(error.cause, causesLeft - 1)}`;
}

function describeOne(error: Error): string {
  const frames = readFrames(error);
  const shown = frames.map(shorten).filter((line) => line !== undefined);
  // Not a bug, but an obstacle outside of the program.
  if (shown.length === 0 && hasSystemCode(error)) return error.message;
  return [readHead(error), ...(shown.length === 0 ? frames : shown)].join('\n');
}

/** The lines before the frames: the name, the message, and for a syntax error its place. */
function readHead(error: Error): string {
  const stack = typeof error.stack === 'string' ? error.stack : String(error);
  const at = stack.search(/^ {4}at /m);
  const head = (at === -1 ? stack : stack.slice(0, at)).trimEnd();
  return showAuthoredNames(head.replaceAll(loadedUrl, (url) => toPath(url)));
}

function readFrames({ stack }: Error): readonly string[] {
  return typeof stack === 'string' ? stack.split('\n').filter((line) => line.startsWith('    at ')) : [];
}

/** Undefined for frames outside of the Worker. */
function shorten(line: string): string | undefined {
  const [, name, location, row, column] = frame.exec(line) ?? [];
  if (location === undefined || isOwn(location)) return undefined;
  const path = toPath(location);
  const place = findSource(path, Number(row), Number(column)) ?? `${path}:${row}:${column}`;
  return name === undefined ? `    at ${place}` : `    at ${name} (${place})`;
}

function isOwn(location: string): boolean {
  const path = toAbsolute(location);
  return ownFolders.some((folder) => path.startsWith(folder));
}

function toAbsolute(location: string): string {
  const [url = ''] = location.split('?');
  return url.startsWith('file:') ? fileURLToPath(url) : url;
}

/** Relative to the current directory for files below it. */
function toPath(location: string): string {
  const path = toAbsolute(location);
  const short = relative(process.cwd(), path);
  return short.startsWith('..') || isAbsolute(short) ? path : short;
}

function toText(value: unknown): string {
  return value === null || typeof value !== 'object' ? String(value) : Object.prototype.toString.call(value);
}
