import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLog } from '#base';
import { ConfigurationFeed, type ConfigurationSource, type FeedOptions } from './configuration-feed.ts';

type Configuration = NonNullable<Awaited<ReturnType<ConfigurationSource['configuration']>>>;

/** A control plane whose answers the test gives. */
class Source implements ConfigurationSource {
  readonly ids: string[];
  readonly questions: {
    readonly zoneId: string;
    readonly answer: PromiseWithResolvers<Configuration | undefined>;
  }[] = [];
  #listener: ((zoneId: string) => void) | undefined;

  constructor(...ids: string[]) {
    this.ids = ids;
  }

  zoneIds(): Iterable<string> {
    return this.ids;
  }

  configuration(zoneId: string): Promise<Configuration | undefined> {
    const answer = Promise.withResolvers<Configuration | undefined>();
    this.questions.push({ zoneId, answer });
    return answer.promise;
  }

  onChange(listener: (zoneId: string) => void): () => void {
    this.#listener = listener;
    return () => (this.#listener = undefined);
  }

  change(zoneId: string): void {
    this.#listener?.(zoneId);
  }

  async answer(index: number, version: number | undefined): Promise<void> {
    const { zoneId, answer } = this.questions[index]!;
    answer.resolve(version === undefined ? undefined : ({ version, zone: { id: zoneId } } as Configuration));
    await settled();
  }
}

/** What is to be done at once is done. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
}

function recorder(): {
  readonly told: string[];
  readonly options: Omit<FeedOptions, 'source'>;
  readonly lines: string[];
} {
  const told: string[] = [];
  const lines: string[] = [];
  const edge = {
    update(configuration: Configuration) {
      told.push(`${configuration.zone.id} ${configuration.version}`);
      return [{ ruleId: 'r', message: 'cannot be read' }];
    },
    remove: (zoneId: string) => void told.push(`${zoneId} gone`),
    complete: () => void told.push('complete'),
  };
  const log = createLog({ level: 'info', format: 'json', write: (line) => lines.push(line) });
  return { told, lines, options: { edge, log, retryMsMin: 1, restShare: 0 } };
}

test('ConfigurationFeed brings every zone and then says that these are all', async () => {
  const source = new Source('a', 'b');
  const { told, lines, options } = recorder();
  const starting = ConfigurationFeed.start({ source, ...options });
  await settled();
  await source.answer(0, 1);
  await source.answer(1, 5);
  const feed = await starting;
  deepEqual(told, ['a 1', 'b 5', 'complete']);
  equal(lines.filter((line) => line.includes('not in force')).length, 2);
  feed.stop();
});

test('ConfigurationFeed says at once that these are all where there is none', async () => {
  const { told, options } = recorder();
  (await ConfigurationFeed.start({ source: new Source(), ...options })).stop();
  deepEqual(told, ['complete']);
});

test('ConfigurationFeed asks once more for any number of changes while a question is under way', async () => {
  const source = new Source();
  const { told, options } = recorder();
  const feed = await ConfigurationFeed.start({ source, ...options });
  for (let count = 0; count < 10; count++) source.change('a');
  equal(source.questions.length, 1);
  source.change('b');
  await source.answer(0, 1);
  await source.answer(1, 1);
  await source.answer(2, 2);
  await settled();
  equal(source.questions.length, 3);
  deepEqual(told, ['complete', 'a 1', 'b 1', 'a 2']);
  feed.stop();
});

test('ConfigurationFeed lets a zone that was just compiled rest, then brings what changed meanwhile', async () => {
  const source = new Source();
  const { told, options } = recorder();
  const feed = await ConfigurationFeed.start({ source, ...options, restShare: 1e9 });
  source.change('a');
  await source.answer(0, 1);
  source.change('a');
  await settled();
  equal(source.questions.length, 1);
  while (source.questions.length < 2) await nextTurn();
  await source.answer(1, 2);
  deepEqual(told, ['complete', 'a 1', 'a 2']);
  feed.stop();
});

test('ConfigurationFeed takes a zone away that is no more', async () => {
  const source = new Source();
  const { told, options } = recorder();
  const feed = await ConfigurationFeed.start({ source, ...options });
  source.change('a');
  await source.answer(0, undefined);
  deepEqual(told, ['complete', 'a gone']);
  feed.stop();
});

test('ConfigurationFeed starts without a zone that cannot be had, and is complete once it can', async () => {
  const source = new Source('a', 'b');
  const { told, lines, options } = recorder();
  const starting = ConfigurationFeed.start({ source, ...options, retryMsMin: 10_000 });
  await settled();
  source.questions[0]!.answer.reject(new Error('away'));
  await settled();
  await source.answer(1, 1);
  const feed = await starting;
  deepEqual(told, ['b 1']);
  equal(lines.filter((line) => line.includes('could not be had')).length, 1);
  // A change ends the wait.
  source.change('a');
  await settled();
  await source.answer(2, 7);
  deepEqual(told, ['b 1', 'a 7', 'complete']);
  feed.stop();
});

test('ConfigurationFeed tells the edge nothing after it was stopped', async () => {
  const source = new Source();
  const { told, options } = recorder();
  const feed = await ConfigurationFeed.start({ source, ...options });
  source.change('a');
  feed.stop();
  await source.answer(0, 1);
  source.change('a');
  await settled();
  deepEqual([told, source.questions.length], [['complete'], 1]);
});
