import { codes } from '../code.ts';

/** Of KV namespaces, D1 databases, queues and R2 buckets. Codes are Cloudflare's where Wrangler looks at them. */
export const storeCodes = codes({
  kvNamespaceNotFound: {
    code: 10013,
    status: 404,
    message: 'namespace not found',
    advice: 'List the namespaces with GET /accounts/{account_id}/storage/kv/namespaces.',
  },
  kvTitleTaken: {
    code: 10014,
    status: 400,
    message: 'a namespace with this account ID and title already exists: {title}',
    advice: 'Choose another title, or use the namespace that is there.',
  },
  kvKeyNotFound: {
    code: 10009,
    status: 404,
    message: "get: 'key not found'",
    advice: 'The key has no value, or it has expired.',
  },
  kvRefused: {
    code: 10033,
    status: 400,
    message: 'kv.api.refused: {reason}',
    advice: 'The message says which rule of KV the key, the value or its expiry breaks.',
  },
  kvNotBindable: {
    code: 10041,
    status: 400,
    message: "KV namespace '{id}' not found.",
    advice: 'Create the namespace first, and use its id: `wrangler kv namespace create`.',
  },
  d1NotFound: {
    code: 7404,
    status: 404,
    message: 'The database {name} could not be found',
    advice: 'List the databases with GET /accounts/{account_id}/d1/database.',
  },
  d1NameTaken: {
    code: 7502,
    status: 400,
    message: 'Database with name {name} already exists',
    advice: 'Choose another name, or use the database that is there.',
  },
  d1Failed: {
    code: 7500,
    status: 400,
    message: '{reason}',
    advice: 'What SQLite says. Nothing of the call is kept.',
  },
  d1ImportRefused: {
    code: 7501,
    status: 400,
    message: 'd1.api.import_refused: {reason}',
    advice: 'Begin again with the action init, and send the file to the URL that it answers.',
  },
  d1BookmarkUnknown: {
    code: 7503,
    status: 400,
    message: 'd1.api.no_such_moment: {reason}',
    advice: 'The history of a database reaches back as far as `history_days` says.',
  },
  queueNotFound: {
    code: 11000,
    status: 404,
    message: "Queue '{name}' does not exist.",
    advice: 'List the queues with GET /accounts/{account_id}/queues.',
  },
  queueNameTaken: {
    code: 11009,
    status: 400,
    message: 'Queue name {name} is already taken. Please use a different name and try again.',
    advice: 'Choose another name, or use the queue that is there.',
  },
  queueConsumed: {
    code: 11004,
    status: 400,
    message: 'Queue {name} already has a consumer.',
    advice: 'Remove the consumer first: `wrangler queues consumer remove`.',
  },
  queueConsumerNotFound: {
    code: 11001,
    status: 404,
    message: 'The queue has no such consumer.',
    advice: 'List the consumers with GET /accounts/{account_id}/queues/{queue_id}/consumers.',
  },
  queuePull: {
    code: 11900,
    status: 400,
    message: 'queues.api.no_pull: consumers of the type http_pull are not served',
    advice: 'Ours. Consume the queue by a Worker.',
  },
  queueRefused: {
    code: 11901,
    status: 400,
    message: 'queues.api.refused: {reason}',
    advice: 'Ours. The message says what a queue does not take.',
  },
  bucketNotFound: {
    code: 10006,
    status: 404,
    message: 'The specified bucket does not exist.',
    advice: 'List the buckets with GET /accounts/{account_id}/r2/buckets.',
  },
  bucketTaken: {
    code: 10004,
    status: 400,
    message: 'The bucket you tried to create already exists, and you own it.',
    advice: 'Choose another name, or use the bucket that is there.',
  },
  bucketNotEmpty: {
    code: 10008,
    status: 400,
    message: 'The bucket you tried to delete is not empty.',
    advice: 'Delete its objects first.',
  },
  bucketNotBindable: {
    code: 10085,
    status: 400,
    message: "R2 bucket '{name}' not found. Please use a different name and try again.",
    advice: 'Create the bucket first: `wrangler r2 bucket create`.',
  },
  r2ObjectNotFound: {
    code: 10007,
    status: 404,
    message: 'The specified key does not exist.',
    advice: 'The bucket has no object with this key.',
  },
  r2Refused: {
    code: 10020,
    status: 400,
    message: 'r2.api.refused: {reason}',
    advice: 'The message says what the bucket does not take.',
  },
  storeInUse: {
    code: 10904,
    status: 400,
    message: 'stores.api.in_use: the deployed version of {workers} is bound to it',
    advice: 'Ours. A Worker would lose its data: deploy it without the binding first, or delete it.',
  },
  tooManyStores: {
    code: 10905,
    status: 400,
    message: 'stores.api.too_many: the account has {count} of these, which is as many as it can have',
    advice: 'Ours. Delete those that are not used any more.',
  },
});
