/** The messages between the program and a process with a Worker. */
import type { SecureContextOptions } from 'node:tls';
import type { ClusterOptions } from '#cluster';
import type { HostsPlace } from '#hosts';
import type { PausedObject } from '#objects';
import type { AssetManifest, RunnableVersion, ScriptCode } from '#control';
import type { OutboundOptions, Worker, WorkerExports } from '#workers';
import type { MetricData } from '#metrics';
import type { Project } from './version-store.ts';

/** The origin of requests: clients over HTTP or HTTPS, or our own edge. */
export type ListenerKind = 'http' | 'https' | 'edge';

/** A version with everything that its digests name: what is handed over to the process that runs it. */
export interface CompleteVersion extends RunnableVersion {
  readonly code: ScriptCode;
  /** The files of its static assets. */
  readonly files: { readonly folder: string; readonly files: AssetManifest } | undefined;
}

export interface WorkerSetup {
  /** The name in logs and metrics. */
  readonly name: string;
  readonly version: number;
  /** The folder of the version. */
  readonly folder: string;
  /** The project to build into the folder first, or the uploaded code; undefined if the folder has built code. */
  readonly code:
    | { readonly kind: 'project'; readonly project: Project }
    | { readonly kind: 'uploaded'; readonly version: CompleteVersion }
    | undefined;
  /** The directory of the objects. */
  readonly directory: string;
  /** The cluster with the objects; undefined if they are in the directory. */
  readonly cluster: Omit<ClusterOptions, 'log'> | undefined;
  readonly durability: 'disk' | 'os';
  readonly retentionMs: number;
  /** The number of object processes; if 1, the objects live in that of the Worker. */
  readonly hosts: number;
  /** How long its modules may take to load. */
  readonly loadMsMax: number;
  readonly hostCpuMs: number;
  readonly hostStatementMs: number;
  /** Objects that crashed the previous process, if they live in it. */
  readonly paused: readonly PausedObject[];
  readonly hostBytes: number;
  /** The stores of the account; undefined if the Worker has its own. */
  readonly stores: HostsPlace | undefined;
  /** The addresses that its code may connect to. */
  readonly outbound: OutboundOptions;
  /** Networks of proxies that are trusted to identify the client. */
  readonly trustedProxies: readonly string[];
  /** One for each handle, in the same order. */
  readonly listeners: readonly ListenerKind[];
  readonly tls: SecureContextOptions | undefined;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  readonly logsRequests: boolean;
  /** Whether its calls are followed. */
  readonly isFollowed: boolean;
  /** Whether it loads its code and then waits until the objects are available. */
  readonly isHeld: boolean;
  /** When the previous process ended, if this one is not held: crons that were due since then are due. */
  readonly cronsSince: number | undefined;
}

export type ToWorkerProcess =
  /** With the time at which its predecessor stopped. */
  | { readonly kind: 'open'; readonly cronsSince: number | undefined }
  /** Clients with a WebSocket are asked to reconnect. */
  | { readonly kind: 'retire sockets'; readonly graceMs: number }
  | { readonly kind: 'tls'; readonly context: SecureContextOptions }
  /** The new schedule of the Worker. */
  | { readonly kind: 'crons'; readonly crons: readonly string[] }
  | { readonly kind: 'read metrics'; readonly id: number }
  /** Whether its calls are followed from now on. */
  | { readonly kind: 'follow'; readonly isFollowed: boolean }
  /** Messages of a queue of the account. */
  | { readonly kind: 'consume'; readonly id: number; readonly batch: QueueBatch };

/** The messages of one delivery: the parameters of `Worker.consume`. */
export type QueueBatch = Parameters<Worker['consume']>;
export type QueueOutcome = Awaited<ReturnType<Worker['consume']>>;

export type FromWorkerProcess =
  /** The digest of a built version, and the exports of its main module. */
  | { readonly kind: 'loaded'; readonly digest: string | undefined; readonly exports: WorkerExports }
  | {
      readonly kind: 'consumed';
      readonly id: number;
      /** Undefined if it could not be delivered. */
      readonly outcome: QueueOutcome | undefined;
    }
  /** A followed call: JSON of a `RecordedCall`, without secrets. */
  | { readonly kind: 'call'; readonly text: string }
  /** Without an id if it is not an answer. */
  | {
      readonly kind: 'metrics';
      readonly id: number | undefined;
      readonly families: readonly MetricData[];
    };
