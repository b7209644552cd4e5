/** The messages between the program and its edge processes. */
import type { FeedMessage } from '#control';
import type { OriginState } from '#edge';
import type { CountedKey, SharedCount } from '#firewall';
import type { MetricData } from '#metrics';
import type { NamedEnd } from '#observability';
import type { Config } from '../../config/read-config.ts';
import type { LearnedBatch, ServedRequests, TrafficBatch, WrittenEvents } from '../edge-reports.ts';
import type { Endpoint } from '../start-edge.ts';

/** The data that an edge process starts with. */
export interface EdgeProcessSetup {
  readonly config: Config;
  readonly version: string;
  readonly forbidden: readonly Endpoint[];
  /** How many processes share the limits. */
  readonly processes: number;
  /** The sockets of Workers that are origins, by name. */
  readonly workers: Readonly<Record<string, string>>;
}

export type FromEdgeProcess =
  /** The process requests the feed from the start, with these zones. */
  | { readonly kind: 'connect'; readonly wanted: readonly string[] }
  /** A request needs the zone. */
  | { readonly kind: 'asked'; readonly zone: string }
  /** The last message of the feed was handled; `isWanted` is whether its zone was needed. */
  | { readonly kind: 'taken'; readonly isWanted: boolean }
  | { readonly kind: 'events'; readonly id: number; readonly events: WrittenEvents }
  | { readonly kind: 'traffic'; readonly id: number; readonly batch: TrafficBatch }
  | { readonly kind: 'requests'; readonly id: number; readonly requests: ServedRequests }
  | { readonly kind: 'learned'; readonly id: number; readonly learned: LearnedBatch }
  /** An evaluation was stopped by terminating its thread. */
  | { readonly kind: 'thread ended'; readonly end: NamedEnd }
  | { readonly kind: 'lines'; readonly id: number; readonly bytes: Uint8Array }
  /** Its counts, for the other processes; acknowledged when they have them. */
  | { readonly kind: 'rates'; readonly id: number; readonly counts: readonly SharedCount[] }
  /** It has received the counts of another process, and these are its own unsent ones. */
  | { readonly kind: 'rates taken'; readonly id: number; readonly counts: readonly SharedCount[] }
  /** Its fullest keys of rate limits. */
  | { readonly kind: 'rate keys'; readonly id: number; readonly keys: readonly CountedKey[] }
  /** An origin of a pool that did not answer it. */
  | { readonly kind: 'origin marked'; readonly state: OriginState }
  | { readonly kind: 'metrics'; readonly id: number | undefined; readonly families: readonly MetricData[] };

export type ToEdgeProcess =
  | { readonly kind: 'feed'; readonly message: FeedMessage }
  | { readonly kind: 'feed failed'; readonly reason: string }
  /** Acknowledges events, traffic, requests, lines, counts or learned values. */
  | { readonly kind: 'done'; readonly id: number; readonly problem: string | undefined }
  /** The counts of another process; with an id, the answer is awaited. */
  | { readonly kind: 'rates'; readonly id?: number; readonly counts: readonly SharedCount[] }
  /** Keys were released. */
  | { readonly kind: 'rates released'; readonly keys: readonly string[] }
  /** The health of pool origins. */
  | { readonly kind: 'origin states'; readonly states: readonly OriginState[] }
  | { readonly kind: 'read metrics' | 'read rate keys'; readonly id: number };
