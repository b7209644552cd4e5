/**
 * The limit of group commit: `node:http` in front of the journal, a record of the size of an API write, and a response
 * when it is on disk. Prints its port.
 *
 *     node bench/api/group-commit.ts <directory>
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { realClock } from '../../src/foundation/base.ts';
import { realFileSystem } from '../../src/foundation/files.ts';
import { Journal } from '../../src/runtime/journal.ts';

/** Some pages of an SQL object with the free space left out. */
const record = Buffer.alloc(4_096, 1);

const journal = await Journal.open({ directory: process.argv[2]!, fs: realFileSystem, clock: realClock });
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    void journal.append([record]).durable.then(() => response.end('{"success":true}'));
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
