/** Bounds of Workers that run in production. */

/** Versions of a Worker that are kept beside the one that runs. */
export const versionsKept = 10;

/** Of a project that is copied as a version: more is a folder that was not meant. */
export const projectFilesMax = 20_000;
export const projectBytesMax = 256 * 1024 * 1024;

/** How long a process with a Worker may say nothing: its end costs every connection, a short stop of it costs nothing. */
export const silentMsMax = 10_000;

/** Of one request to the socket for deployments, and of its answer. */
export const deployMessageBytesMax = 256 * 1024;

/** Operators, not traffic. */
export const deployClientsMax = 8;
