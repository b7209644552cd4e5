/** The history of an object in a host. Files are passed by their path: all processes are on one machine. */
import { type HistoryAccess, type HistoryPoint, PastObject } from '#objects';
import { piecesPerAnswer } from '../limits.ts';
import { readCursor } from './cursor.ts';
import { fromHostReply } from './host-reply.ts';
import { type HostAsker, type Port, toRemote } from './port.ts';
import type { PlainObjectId } from './questions.ts';

type OptionsOf<K extends keyof HistoryAccess, N extends number> = NonNullable<
  Parameters<HistoryAccess[K]>[N]
>;

interface RemoteHistoryParts {
  readonly host: HostAsker;
  readonly port: () => Port;
  readonly place: PlainObjectId;
  readonly scratchPath: (name: string, bytes: number) => string;
}

export class RemoteHistory implements HistoryAccess {
  readonly #parts: RemoteHistoryParts;

  constructor(parts: RemoteHistoryParts) {
    this.#parts = parts;
  }

  current(): Promise<string> {
    return this.#parts.host.ask('currentBookmark', this.#parts.place);
  }

  bookmarkForTime(time: number | Date): Promise<string> {
    return this.#parts.host.ask('bookmarkForTime', this.#parts.place, Number(time));
  }

  points(options: OptionsOf<'points', 0> = {}): Promise<HistoryPoint[]> {
    return this.#parts.host.ask('points', this.#parts.place, options);
  }

  async readAt(bookmark: string): Promise<PastObject> {
    const bytes = await this.readFile({ at: bookmark }, async (file) => file.bytes);
    const path = this.#parts.scratchPath('history', bytes);
    if (bytes > 0) await this.exportTo(path, { at: bookmark });
    return new PastObject(path);
  }

  restore(bookmark: string, options: OptionsOf<'restore', 1> = {}): Promise<string> {
    return this.#parts.host.ask('restore', this.#parts.place, bookmark, toRemote(options));
  }

  exportTo(path: string, options: OptionsOf<'exportTo', 1> = {}): Promise<void> {
    return this.#parts.host.ask('exportTo', this.#parts.place, path, toRemote(options));
  }

  readFile: HistoryAccess['readFile'] = async (options, use) => {
    using outcome = await this.#parts.port().readFile(this.#parts.place, options);
    const { bookmark, bytes, pieces } = fromHostReply(outcome);
    return await use({ bookmark, bytes, pieces: readCursor(pieces, piecesPerAnswer) });
  };

  importFrom(path: string, options: OptionsOf<'importFrom', 1> = {}): Promise<string> {
    return this.#parts.host.ask('importFrom', this.#parts.place, path, toRemote(options));
  }
}
