/**
 * Intended differences between Gatehouse and workerd: the reason, and the titles of the answers as the report prints
 * them. The suite fails for an unlisted difference, and for a listed one that no longer occurs.
 */
const reasons: Readonly<Record<string, readonly string[]>> = {
  'the documented limits of keys, values and pairs are enforced on both backends': [
    'kv limits: put: key too long [sql]',
    'kv limits: get: key too long [sql]',
    'kv limits: get of many: key too long [sql]',
    'kv limits: get of many: key too long [kv]',
    'kv limits: delete: key too long [sql]',
    'kv limits: key length is in UTF-8 bytes [sql]',
    'kv limits: value too large [sql]',
    'kv limits: one value of many too large [sql]',
    'kv limits: get of 129 keys [sql]',
    'kv limits: put of 129 pairs [sql]',
    'kv limits: put of 129 pairs [kv]',
    'kv limits: delete of 129 keys [sql]',
    'kv limits: delete of 129 keys [kv]',
    'kv limits: in a transaction: key too long [sql]',
    'kv limits: in a transaction: key too long [kv]',
    'kv limits: in a transaction: get of 129 keys [sql]',
    'sql limits: key-value value of 3,000,000 bytes [sql]',
  ],
  'modules without a bundle are printed again, so that they see the global object of their Worker: the text of a function has the white space of the printer, as in a bundle of Wrangler':
    [
      'kv values: refuses named function [sql]',
      'kv values: refuses named function [kv]',
      'kv values: refuses function in object [sql]',
      'kv values: refuses function in object [kv]',
      'kv values: refuses class [sql]',
      'kv values: refuses class [kv]',
      'kv values: refuses async function [sql]',
      'kv values: refuses async function [kv]',
      'kv values: refuses Proxy of a function [sql]',
      'kv values: refuses Proxy of a function [kv]',
      'kv values: a refused value leaves the old one [sql]',
      'kv values: a refused value leaves the old one [kv]',
      'kv put: a refused member stores nothing [sql]',
      'kv put: a refused member stores nothing [kv]',
      'transactions: txn.put of a function [sql]',
      'transactions: txn.put of a function [kv]',
    ],
  'a rewritten body has another length than the header said': [
    'globals, HTMLRewriter text, comments, documents: headers and status [sql]',
  ],
  'point-in-time recovery works': [
    'history: a bookmark for a time [sql]',
    'history: restoring gives the old state back [sql]',
  ],
  'the error says how a class is declared here, where there is no configuration of workerd': [
    'storage.kv without SQL: get [kv]',
    'storage.kv without SQL: put [kv]',
    'storage.kv without SQL: list [kv]',
    'storage.kv without SQL: sql.exec [kv]',
    'storage.kv without SQL: sql.databaseSize [kv]',
  ],
  'the error says that jurisdictions are out of scope; there is no workerd here': [
    'ids: newUniqueId with a jurisdiction [sql]',
    'ids: newUniqueId of jurisdiction empty [sql]',
    'ids: newUniqueId of an unknown jurisdiction [sql]',
    'ids: jurisdiction [sql]',
    'ids: jurisdiction empty [sql]',
    'ids: an unknown jurisdiction [sql]',
  ],
  'Request and Headers are those of Node: the same class of error in other words, and any token is a method':
    [
      'stub fetch, bodies: a stream with GET [sql]',
      'stub fetch, bodies: text with GET [sql]',
      'stub fetch, bodies: headers null [sql]',
      'stub fetch, bodies: method null [sql]',
    ],
  'a body that fails on its way fails the call; workerd lets it end early': [
    'stub fetch, bodies: a stream that fails [sql]',
  ],
  'a comment or semicolon after the last statement does no harm': [
    'sql endings: comment after the semicolon [sql]',
    'sql endings: two semicolons [sql]',
  ],
  'V8 of workerd and of Node word it otherwise': [
    'kv values: refuses Proxy of an array [sql]',
    'kv values: refuses Proxy of an array [kv]',
  ],
  'timers are objects under every date, because packages call unref(); they convert to the number that workerd gives':
    ['timers: what setTimeout gives [sql]'],
  'the documented raw().one() exists': ['sql cursors: raw one [sql]'],
  'a cursor that failed has ended; workerd goes on with a row of nulls': [
    'sql cursors: an error while iterating [sql]',
  ],
  'rows of RETURNING that nobody fetched do not reset the object': [
    'sql exec: the statement runs though the cursor is ignored [sql]',
  ],
  'what would destroy the transaction of the turn is refused; workerd fails with an internal error': [
    'sql that breaks the transaction: insert or rollback [sql]',
    'sql that breaks the transaction: raise rollback [sql]',
    'transactionSync, odd uses: deleteAll inside [sql]',
  ],
  'a transaction that cannot be committed is told as one that left constraints violated': [
    'constraints put off: violated, in a transaction [sql]',
  ],
  'reading keys and values does not end a deferral of foreign keys that was asked for before the first write':
    ['constraints put off: with kv.get between pragma and write [sql]'],
  'PRAGMA optimize is part of the turn, as it may write': [
    'turns, foreign_keys switched off: after pragma optimize [sql]',
  ],
  'a bookmark names a place in the journal; workerd writes a row for it': [
    'turns, changes and last_insert_rowid: behind a bookmark [sql]',
    'turns, total_changes: behind a bookmark [sql]',
  ],
  'SQLite in Node has the function, and it is refused; workerd is built without it': [
    'sql allowed and denied: fts3_tokenizer [sql]',
    'sql functions: median(1) [sql]',
  ],
  'SQLite in Node is built without a limit on the precision of printf()': [
    'sql limits: string of 2,000,000 bytes [sql]',
    'sql limits: string of 9,000,000 bytes [sql]',
  ],
  'Node binds a lone surrogate as one replacement character, workerd as its three raw bytes': [
    'sql bindings: type of lone surrogate [sql]',
  ],
  'the id of the object is not put on errors of calls that were made on an answer': [
    'rpc pipelining: missing method of a result [sql]',
    'rpc pipelining: method of a null result [sql]',
    'rpc pipelining: method of a number [sql]',
    'rpc pipelining: own field of a target [sql]',
  ],
  'the id of the object is not put on errors, which have all other properties from 2026-04-21 on': [
    'rpc errors: throws Error [sql] under date 2026-11-01',
    'rpc errors: throws TypeError [sql] under date 2026-11-01',
    'rpc errors: throws RangeError [sql] under date 2026-11-01',
    'rpc errors: throws SyntaxError [sql] under date 2026-11-01',
    'rpc errors: throws own class [sql] under date 2026-11-01',
    'rpc errors: throws own name [sql] under date 2026-11-01',
    'rpc errors: throws empty message [sql] under date 2026-11-01',
    'rpc errors: throws with cause [sql] under date 2026-11-01',
    'rpc errors: throws with properties [sql] under date 2026-11-01',
    'rpc errors: throws AggregateError [sql] under date 2026-11-01',
    'rpc errors: rejects own class [sql] under date 2026-11-01',
    'rpc errors: rejects with properties [sql] under date 2026-11-01',
  ],
  'what is thrown and is no error arrives as one': ['rpc errors: throws object [sql] under date 2026-11-01'],
  'a reference that cannot be stored is refused with the same words whatever it refers to': [
    'rpc functions and targets: a stored function [sql]',
  ],
  'an error keeps the stack of the object it comes from, to find the mistake by': [
    'rpc errors: the stack is not the object’s [sql]',
    'rpc errors: the stack is not the object’s [sql] under date 2026-11-01',
  ],
  'a storage promise settles two microtasks sooner': [
    'microtask order: a get before a promise [sql]',
    'microtask order: a put before a promise [sql]',
  ],
  'a lone surrogate in a text is one replacement character, for workerd the three of its raw bytes': [
    'sockets, send: lone surrogate [sql]',
    'sockets, send: lone surrogate [sql] under date 2026-11-01',
  ],
  'an error of a listener is an event also when both ends have closed': [
    'sockets, events: a close listener that throws [sql] under date 2026-11-01',
  ],
  'all listeners of an event are called, as with spec_compliant_dispatch_exceptions': [
    'sockets, events: a listener that throws [sql]',
  ],
  'rows of these shapes cannot be told from outside SQLite: an estimate is given': [
    'row counts, hard shapes: update t set a = u.e from u where u.id = t.id [sql]',
    'row counts, hard shapes: select * from t order by a limit 5 [sql]',
    'row counts, hard shapes: select id from t where id <= 5 union select id from u [sql]',
    'row counts, hard shapes: create table cts as select id, a from t where id <= 10 [sql]',
    'row counts, hard shapes: drop index tc [sql]',
    'row counts, hard shapes: drop table z [sql]',
    "row counts, hard shapes: insert or replace into u values (3, 'a@x', 0) [sql]",
    'row counts, hard shapes: delete from pa where id = 1 [sql]',
    'row counts, hard shapes: create index tpart on t(a) where c = 1 [sql]',
    'row counts, hard shapes: alter table t add column d int default 0 [sql]',
    'row counts, hard shapes: alter table t rename column a to aa [sql]',
    'row counts, hard shapes: alter table w drop column v [sql]',
    'row counts, hard shapes: analyze [sql]',
    'row counts, hard shapes: with x as materialized (select * from t where c = 3) select count(*) from x a, x b [sql]',
    'row counts, hard shapes: select id, row_number() over (order by b) from t where c = 3 [sql]',
  ],
};

export const differences: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(reasons).flatMap(([reason, titles]) => titles.map((title) => [title, reason])),
);
