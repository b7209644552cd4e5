import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { uploadIdleMs, uploadProgressBytes } from '../../wire/limits.ts';
import type { Upload } from './upload.ts';
import { Uploads } from './uploads.ts';

test('Uploads gives the room of the idlest upload to others, and none while all of them arrive quickly', async () => {
  let nowMs = 0;
  const evicted: string[] = [];
  const uploads = new Uploads({ bytesMax: 4 * uploadProgressBytes, now: () => nowMs });
  const open = (name: string): Upload => {
    const upload: Upload = uploads.open({
      onDrain() {},
      onError(error) {
        throw error;
      },
      onEvicted() {
        evicted.push(name);
        upload[Symbol.dispose]();
      },
    });
    return upload;
  };
  const bytes = Buffer.alloc(uploadProgressBytes, 1);
  const [first, second, third] = ['first', 'second', 'third'].map((name) => open(name)) as [
    Upload,
    Upload,
    Upload,
  ];
  for (const upload of [first, second, third]) {
    upload.write(bytes);
    await upload.readBeginning(1);
  }
  equal(third.write(bytes), 'continue');
  equal(third.write(bytes), 'no room');
  first.end();
  nowMs = uploadIdleMs;
  await third.readBeginning(1);
  equal(third.write(bytes), 'continue');
  deepEqual(evicted, ['second'], 'the first has arrived');
  equal(third.write(bytes), 'no room', 'it does not end itself');
  deepEqual(await first.readNext(), bytes);
  for (const upload of [first, third]) {
    await upload.readBeginning(1);
    upload[Symbol.dispose]();
  }
  equal(uploads.bytes, 0);
});
