/** Requests to a host, from the side of the caller. */
import type { BackupFile, ListedDirectory, OnProgress } from '#objects';
import type { RemoteCursor } from './cursor.ts';
import type { HostReply } from './host-reply.ts';
import type { PlainObjectId, Questions, RemoteProgress } from './questions.ts';

type Ended<T> = T extends Promise<infer U> ? U : T;
export type AnswerTo<K extends keyof Questions> = Ended<ReturnType<Questions[K]>>;

export interface HostAsker {
  ask<K extends keyof Questions>(name: K, ...args: Parameters<Questions[K]>): Promise<AnswerTo<K>>;
}

/** A hold on the files of a host, from the other end. */
interface RemoteHeld {
  list(
    time: number | undefined,
  ): Promise<HostReply<{ position: ListedDirectory['position']; files: RemoteCursor<BackupFile> }>>;
}

/** `RuntimePort`, from the other end. */
export interface Port {
  ask(name: string, args: readonly unknown[]): Promise<HostReply<unknown>>;
  list(name: string, args: readonly unknown[]): Promise<RemoteCursor<unknown>>;
  /** Keeps history in the host until the result is disposed of. */
  readFile(
    place: PlainObjectId,
    options: { readonly at?: string },
  ): Promise<
    HostReply<{
      bookmark: string;
      bytes: number;
      pieces: RemoteCursor<{ readonly offset: number; readonly bytes: Uint8Array }>;
    }> &
      Disposable
  >;
  holdForBackup(): Promise<HostReply<{ bytes: number; held: RemoteHeld }> & Disposable>;
}

/** A callback is called from the host; if it throws, the operation there stops. */
export function toRemote<T extends { readonly onProgress?: OnProgress | undefined }>({
  onProgress,
  ...rest
}: T): Omit<T, 'onProgress'> & { readonly onProgress?: RemoteProgress } {
  if (onProgress === undefined) return rest;
  return { ...rest, onProgress: async (progress) => onProgress(progress) };
}
