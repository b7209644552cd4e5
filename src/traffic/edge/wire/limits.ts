/**
 * How much data a client or an origin can make the wire hold, and for how long. Each limit is an option of
 * `serveProxy`.
 */
import { defaultHttp2Limits } from '#http2';
import { inspectedBodyBytesMax } from '#request';

export interface WireLimits {
  /** Request line and fields together. */
  readonly headBytesMax: number;
  readonly headerCountMax: number;
  /** One field line. */
  readonly headerLineBytesMax: number;
  readonly targetBytesMax: number;
  readonly requestBodyBytesMax: number;
  /** How much of a body `inspect` passes to the judge. */
  readonly inspectionBytesMax: number;
  /** Size of all uploads that wait on disk until they are complete and judged. */
  readonly uploadBytesMax: number;
  /** Size of the head of an origin's response: origins set many cookies, and are trusted more than clients. */
  readonly responseHeadBytesMax: number;
  readonly responseHeaderCountMax: number;
  /** 0 for no minimum. */
  readonly bodyBytesPerSecondMin: number;
  readonly connectionsMax: number;
  /** A 64-bit IPv6 network counts as one address. */
  readonly connectionsPerAddressMax: number;
  /** Requests in progress, for all zones together. */
  readonly requestsMax: number;
  readonly requestsPerZoneMax: number;
  readonly requestsPerAddressMax: number;
  readonly connectionsPerOriginMax: number;
  readonly idleConnectionsPerOriginMax: number;
}

export const defaultLimits: WireLimits = {
  // Browsers stay below 16 KiB; four times that leaves room for the tokens of single sign-on.
  headBytesMax: 64 * 1024,
  headerCountMax: 128,
  headerLineBytesMax: 16 * 1024,
  targetBytesMax: 16 * 1024,
  // Cloudflare's limit on its smaller plans.
  requestBodyBytesMax: 100 * 1024 * 1024,
  inspectionBytesMax: inspectedBodyBytesMax,
  // Forty of the largest uploads.
  uploadBytesMax: 4 * 1024 * 1024 * 1024,
  responseHeadBytesMax: 128 * 1024,
  responseHeaderCountMax: 256,
  // Slower than any modem. Apache requires the same.
  bodyBytesPerSecondMin: 500,
  // Each costs about 10 KiB when idle.
  connectionsMax: 16_384,
  // More than one office behind one address needs, far below `connectionsMax`.
  connectionsPerAddressMax: 1_024,
  // Each may hold `heldBodyBytesMax` of an inspected body: 2,048 of them take 256 MiB.
  requestsMax: 2_048,
  requestsPerZoneMax: 1_024,
  // Visitors behind one address, each with all streams of an HTTP/2 connection: five at the same time. Half of the
  // limit of a zone, so that one address never takes all of it.
  requestsPerAddressMax: 512,
  connectionsPerOriginMax: 1_024,
  idleConnectionsPerOriginMax: 128,
};

/** Requests in progress on one connection. */
export const http2StreamsMax = defaultHttp2Limits.concurrentStreamsMax;

/**
 * Size of a PROXY protocol header: two addresses and what load balancers add to them, such as the name of a client's
 * certificate.
 */
export const proxyHeaderBytesMax = 4 * 1024;

export interface WireTimeouts {
  /** From the first byte of a head (or the start of the connection) to its last: a trickle does not extend it. */
  readonly headMs: number;
  /** How long a body may pause while it keeps to `bodyBytesPerSecondMin` otherwise. */
  readonly bodyIdleMs: number;
  /** Without a request in progress on a client's connection. */
  readonly keepAliveMs: number;
  /** For a client that does not read its response. */
  readonly writeStallMs: number;
  /** For such a client while an eighth of the slots of its address, its zone or the edge wait for clients. */
  readonly hurriedStallMs: number;
  /** Name lookup, TCP and TLS together. */
  readonly originConnectMs: number;
  /** From the last byte of the request to the head of the response. */
  readonly originFirstByteMs: number;
  /** Between two chunks of a response. */
  readonly originIdleMs: number;
  /** For unused connections to an origin. */
  readonly originKeepAliveMs: number;
  /** Without data in either direction of a WebSocket. */
  readonly tunnelIdleMs: number;
  /** After a refusal, for the client to read it before the connection is closed. */
  readonly lingerMs: number;
}

export const defaultTimeouts: WireTimeouts = {
  headMs: 15_000,
  bodyIdleMs: 20_000,
  // Longer than common load balancers keep their connections, so that they close first.
  keepAliveMs: 75_000,
  writeStallMs: 60_000,
  // Slow clients that read at all read something more often.
  hurriedStallMs: 5_000,
  originConnectMs: 10_000,
  // Cloudflare gives an origin 100 seconds.
  originFirstByteMs: 100_000,
  originIdleMs: 100_000,
  // Less than the 60 seconds after which common origins close; a shorter `Keep-Alive: timeout` is honoured.
  originKeepAliveMs: 50_000,
  tunnelIdleMs: 600_000,
  lingerMs: 2_000,
};

/** The longest body that a zone can allow (`max_upload`), regardless of the proxy's own limit. */
export const zoneBodyBytesMax = 500 * 1024 * 1024;

/** Fewer bytes than this do not count as progress of a body: one byte every 19 seconds is not an upload. */
export const bodyProgressBytes = 256;

/** Size of all chunk extensions of one message. They are used only in attacks. */
export const chunkExtensionBytesMax = 1_024;

/** Up to 2 ** 48, an exact integer. More digits, or many leading zeros, are refused. */
export const chunkSizeDigitsMax = 12;

export const trailerBytesMax = 8 * 1024;
export const trailerCountMax = 32;

/** The part of an inspected body that waits in memory: all that is inspected by default. The rest waits on disk. */
export const heldBodyBytesMax = inspectedBodyBytesMax;

/** How many longer bodies are in memory at a time to be judged: each takes some megabytes. */
export const longBodiesMax = 8;

/** The part of one upload that may wait in memory for a disk write before its client is paused. */
export const pendingUploadBytesMax = 64 * 1024;

/** An upload that has sent less than `uploadProgressBytes` in this time can be evicted if there is no room left. */
export const uploadIdleMs = 5_000;
export const uploadProgressBytes = 64 * 1024;

/** How much of an upload is read from disk at once. */
export const uploadReadBytes = 64 * 1024;

/** `100 Continue` and `103 Early Hints` before the final response. */
export const interimResponsesMax = 8;

/**
 * How long a new connection may stay without a request after the listener has closed: its client may be about to send
 * one.
 */
export const firstRequestMs = 500;

/** How much a client may send ahead while a request is in progress, before its connection is paused. */
export const pipelinedBytesMax = 64 * 1024;

/** Addresses of `X-Forwarded-For` that are read, from the right. */
export const forwardedHopsMax = 32;

export const methodBytesMax = 32;
