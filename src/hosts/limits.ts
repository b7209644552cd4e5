/** More processes than this share a disk and its syncs, and gain nothing. */
export const hostsMax = 64;

/** CPU time that one event may take without a pause, unless set: that of Cloudflare. */
export const cpuMsDefault = 30_000;

/** What JavaScript may hold in each host, unless set. */
export const heapBytesDefault = 1024 * 1024 * 1024;

/** Between attempts to reach a host that does not listen: one that is started again is there within a second. */
export const connectMsMin = 5;
export const connectMsMax = 100;

/** For the objects of a host to make durable what they have written, when the runtime is closed. */
export const closeMs = 10_000;

/** A host that the machine does not let run is given this long: its end costs every call that it was answering. */
export const silentMsMax = 10_000;
