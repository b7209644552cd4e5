/** What runs uploaded Workers, as handlers see it: the server has processes for them, and files for their code. */

export type ScriptModule = (
  | { readonly type: 'esm' | 'commonjs' | 'text' | 'json'; readonly text: string }
  | { readonly type: 'data' | 'wasm'; readonly bytes: Uint8Array }
) & {
  /** The name that it was sent with, if that begins with `./`; who reads the code again gets it so. */
  readonly sentAs?: string;
};

/** The modules of a version. */
export interface ScriptCode {
  readonly main: string;
  readonly modules: Readonly<Record<string, ScriptModule>>;
  /** Source maps of modules, by the names of those, for stacks in logs. */
  readonly maps?: Readonly<Record<string, string>>;
}

/** A binding as the API has it. That of a secret has its text only on the way to a process. */
export interface ScriptBinding {
  readonly type: string;
  readonly name: string;
  readonly [field: string]: unknown;
}

/** A class of objects that migrations have made. */
export interface ScriptClass {
  readonly name: string;
  readonly storage: 'sql' | 'kv';
  /** What its objects are stored under: the name that the class had first. */
  readonly uniqueKey: string;
}

/** A class whose objects become those of another Worker, and what they are stored under at each. */
export interface TransferredClass {
  readonly storage: ScriptClass['storage'];
  readonly from: Pick<ScriptClass, 'name' | 'uniqueKey'>;
  readonly to: Pick<ScriptClass, 'name' | 'uniqueKey'>;
}

/** Objects that go from one Worker to another. */
export interface ObjectTransfer {
  readonly from: { readonly id: string; readonly name: string };
  readonly to: { readonly id: string; readonly name: string };
  readonly classes: readonly TransferredClass[];
}

/** A version with everything that a process needs to run it. */
export interface RunnableVersion {
  /** The id of the Worker: another one has the same name after the first was deleted. */
  readonly workerId: string;
  readonly name: string;
  readonly number: number;
  readonly codeDigest: string;
  readonly bindings: readonly ScriptBinding[];
  readonly compatibilityDate: string | undefined;
  readonly compatibilityFlags: readonly string[];
  readonly classes: readonly ScriptClass[];
  readonly crons: readonly string[];
  readonly assets: ScriptAssets | null;
  readonly version: { readonly id: string; readonly tag: string; readonly timestamp: string };
  /** Why it cannot run: its secrets cannot be read. */
  readonly obstacle?: Error;
}

/** A version whose code has run once, in a process that waits. */
export interface LoadedScript {
  readonly exports: { readonly handlers: readonly string[]; readonly classes: readonly string[] };
  readonly loadMs: number;
  /** Lets it take over. If it does not start, the version before it runs again, and this throws the fault. */
  switch(): Promise<void>;
  /** Keeps its process for a moment, for a deployment that may follow. */
  hold(): void;
  /** Ends its process, if it has not taken over and is not held. */
  discard(): Promise<void>;
}

/** Code on disk that is not removed until it is let go of, which can be done twice. */
export interface KeptCode extends Disposable {
  readonly digest: string;
}

/** Files by their paths in URLs. */
export type AssetManifest = Readonly<
  Record<
    string,
    {
      /** The name of the file: its own digest, or in what a client sends the hash that the client gave it. */
      readonly hash: string;
      readonly size: number;
      /** What the client called it, in the list of a version. */
      readonly given?: string;
    }
  >
>;

/** Static assets of a version: the digest of their list, and how they are served. */
export interface ScriptAssets {
  readonly manifest: string;
  readonly config: {
    readonly html_handling?: string;
    readonly not_found_handling?: string;
    readonly run_worker_first?: boolean | readonly string[];
    readonly _headers?: string;
    readonly _redirects?: string;
  };
}

/** Which calls of a Worker somebody wants to read about. */
export interface TailFilters {
  readonly samplingRate?: number | undefined;
  readonly outcomes?: readonly string[] | undefined;
  readonly methods?: readonly string[] | undefined;
  readonly headers: readonly { readonly key: string; readonly query?: string | undefined }[];
  readonly addresses?: readonly string[] | undefined;
  readonly query?: string | undefined;
  readonly version?: string | undefined;
}

export interface TailHost {
  /** Undefined if the Worker has as many as it can have. */
  create(
    worker: string,
    filters: TailFilters,
    nowMs: number,
  ): { readonly id: string; readonly path: string; readonly expiresAtMs: number } | undefined;
  /** Ids. */
  list(worker: string): string[];
  remove(id: string): void;
}

export interface AssetHost {
  /** Which files no version of the Worker has, by the digests of their lists, and what to send them with. */
  begin(manifest: AssetManifest, lists: readonly string[]): Promise<{ jwt: string; buckets: string[][] }>;
  /** The digest of the list of files; throws the fault if some are missing. */
  complete(jwt: string): Promise<string>;
}

/** Marks what may be removed: a deletion that is interrupted is finished by the next start. */
interface RemovalMarks {
  /** Before the account lets go of the Worker; `remove` follows, or `keep` if it does not. */
  markRemoval(workerId: string): void;
  keep(workerId: string): void;
}

export interface WorkerHost {
  readonly assets: AssetHost;
  readonly directories: RemovalMarks;
  readonly tails: TailHost;
  /** Why nothing can be uploaded; undefined if it can. */
  readonly obstacle: string | undefined;
  /** What host names of Workers end with. */
  readonly domain: string | undefined;
  /** Of a Worker with this host name. */
  urlOf(host: string): string;
  /** Names that Workers of the configuration have. */
  readonly takenNames: readonly string[];
  /** Does changes of a Worker one after the other. */
  inTurn<T>(name: string, change: () => Promise<T>): Promise<T>;
  /**
   * Lets go of the processes of both Workers and copies the objects; rejects with the fault if that cannot be. Their
   * requests wait until one of their versions is switched to, or they are resumed.
   */
  transfer(transfer: ObjectTransfer): Promise<void>;
  /** Runs what the account has of Workers that wait. */
  resumeWaiting(names: readonly string[]): Promise<void>;
  /** Resolves when the code is on disk. */
  keepCode(code: ScriptCode): Promise<KeptCode>;
  readCode(digest: string): Promise<ScriptCode>;
  /** Forgets code that no version has any more. */
  dropCode(digests: readonly string[]): Promise<void>;
  /** Throws the fault if the code does not load; what runs is as it was. */
  load(version: RunnableVersion): Promise<LoadedScript>;
  /** What is wrong with a cron expression; undefined if nothing is. */
  findCronProblem(cron: string): Promise<string | undefined>;
  setCrons(name: string, crons: readonly string[]): Promise<void>;
  /** Lets the other hosts run what is deployed now; resolves when they do, or do not answer. */
  spread(): Promise<void>;
  /** Stops it and removes its objects. */
  remove(worker: { readonly id: string; readonly name: string }): Promise<void>;
}
