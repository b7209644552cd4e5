/** Bounds of the bindings: those of Cloudflare where it documents one, so that what works here works there. */

/** Bytes of a key of a KV namespace, in UTF-8. */
export const kvKeyBytesMax = 512;
export const kvValueBytesMax = 25 * 1024 * 1024;
/** Bytes of the JSON of an entry's metadata. */
export const kvMetadataBytesMax = 1024;
/** Keys in one `get([…])`, and the total bytes of their values. */
export const kvBatchKeysMax = 100;
export const kvBatchBytesMax = 25 * 1024 * 1024;
export const kvListKeysMax = 1_000;
export const kvExpirySecondsMin = 60;
export const kvCacheSecondsMin = 30;

/** A row of SQLite holds 8 MiB: longer values are stored in pieces of this size. */
export const kvPieceBytes = 1024 * 1024;

/** Entries of a KV namespace that one run of its alarm deletes, so that other events run in between. */
export const kvExpiredMax = 1_000;

/** Bytes of a message of a queue, as documented. */
export const queueMessageBytesMax = 128_000;
/** Messages and bytes in one `sendBatch`, as documented. */
export const queueBatchMessagesMax = 100;
export const queueBatchBytesMax = 256_000;
export const queueDelaySecondsMax = 86_400;
/** How long a message waits to be consumed; Cloudflare's default. */
export const queueRetentionMs = 4 * 24 * 60 * 60_000;
/** The maximum retention of a queue, as documented. */
export const queueRetentionMsMax = 14 * 24 * 60 * 60_000;

/** The limits of a consumer's settings, as documented. */
export const queueConsumerBatchMax = 100;
export const queueConsumerTimeoutSecondsMax = 60;
export const queueConsumerRetriesMax = 100;

/** How long one run of a queue's alarm continues to take batches. A run of an alarm may take 15 minutes in all. */
export const queueDeliveringMsMax = 60_000;

/** The delay before a queue that could not reach its consumer, or its dead letter queue, tries again. */
export const queueRetryMs = 1_000;

/** Bytes of the key of an object in a bucket, in UTF-8. */
export const r2KeyBytesMax = 1024;
/** The size of an object that is put in one piece, as documented: 5 GiB less 5 MiB. */
export const r2ObjectBytesMax = 5 * 1024 ** 3 - 5 * 1024 ** 2;
/** The names and values of custom metadata, as documented. */
export const r2MetadataBytesMax = 8_192;
export const r2ListKeysMax = 1_000;
export const r2DeleteKeysMax = 1_000;
export const r2PartsMax = 10_000;
/** Every part of an upload except the last. */
export const r2PartBytesMin = 5 * 1024 ** 2;

/**
 * How long an unrecorded file is kept: as long as objects can be restored, so that a bucket whose log was lost, or is
 * of an earlier moment, finds the contents again after a restore.
 */
export const r2UnrecordedMsMax = 30 * 86_400_000;

/** A body up to this size is passed whole; a longer one is streamed, in pieces of this size. */
export const r2PieceBytes = 256 * 1024;

/**
 * In a cluster, contents are spread over objects of this size, written in chunks that fit a commit: a host that opens
 * one reads no more than that.
 */
export const r2ContentBytes = 8 * 1024 ** 2;
export const r2ContentChunkBytes = 1024 ** 2;

/** How long an upload waits to be completed; Cloudflare's default. */
export const r2UploadMsMax = 7 * 24 * 60 * 60_000;

/** Characters of the name of a step, and of the id of an instance, as documented. */
export const workflowNameMax = 256;
export const workflowIdMax = 100;
/** Instances in one `createBatch`, as documented. */
export const workflowBatchMax = 100;
/** Steps of a workflow whose configuration sets no limit, as documented. */
export const workflowStepsMaxDefault = 10_000;
/** Bytes of what a step returns, and of params and events, as documented. */
export const workflowStepBytesMax = 1024 * 1024;
export const workflowPayloadBytesMax = 1024 * 1024;
/** How long a function that computes a delay may take. */
export const delayFunctionMsMax = 5_000;
/** How long one run of an instance's alarm keeps its code running. A run of an alarm may take 15 minutes in all. */
export const workflowHoldMsMax = 10 * 60_000;
/** How long an ended instance is kept, as documented. */
export const workflowRetentionMs = 30 * 24 * 60 * 60_000;
/** How long a replay may take to reach its earlier position, before its steps are undone without the rest of it. */
export const workflowReplayMsMax = 60_000;
/** How long an instance waits before it tries again to find its code. */
export const workflowRetryMs = 60_000;

/** Keys of a rate limit namespace that are counted; the least recently used are forgotten first. */
export const rateLimitKeysMax = 100_000;
