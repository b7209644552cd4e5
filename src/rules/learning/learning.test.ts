import { test } from 'node:test';
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { parseIp } from '#addresses';
import {
  Batch,
  countNetworks,
  decodeSample,
  describeSample,
  describeShape,
  dropOld,
  encodeSample,
  foldName,
  foldPath,
  foldWide,
  isKnownEnough,
  LearnedValues,
  type LearnedProfile,
  type LearnedValue,
  listLearnedValues,
  mergeSamples,
  type Sample,
} from '#learning';

const day = 20_775;
const seed = '5eed';

/** The sample that a zone learns from values, each sent by separate networks. */
function learn(values: readonly string[], networks = 60, first = 0): Sample {
  const batch = new Batch(seed);
  for (let network = first; network < first + networks; network++)
    batch.add({
      ip: parseIp(`10.${network >> 8}.${network & 255}.7`)!,
      path: '/product/17',
      values: [{ place: 'argument', name: 'q', value: values[network % values.length]! }],
      day,
    });
  return decodeSample(batch.toMessage().values[0]!.sample)!;
}

function describe(sample: Sample): LearnedValue {
  return describeSample({
    path: '/product/{number}',
    place: 'argument',
    name: 'q',
    requests: 1_000,
    firstMs: Date.UTC(2026, 10, 16),
    sample,
  });
}

function look(sample: Sample, value: string, mode: 'watching' | 'acting' = 'acting') {
  const profile: LearnedProfile = { seed, wide: [], values: [describe(sample)] };
  return new LearnedValues(profile, mode).look('/product/99', 'argument', 'q', value);
}

test('foldPath takes ids out of paths, and foldWide what only their number shows', () => {
  equal(foldPath('/product/17/reviews'), '/product/{number}/reviews');
  equal(foldPath('/o/6f1e0c2a-1b2c-4d5e-8f90-123456789abc'), '/o/{id}');
  equal(foldPath('/o/da82bdf8481b29aa658d11f0d16f1e0c/'), '/o/{id}/');
  equal(foldPath('/news/2026-11-18/how-to-bake-good-bread'), '/news/{date}/{text}');
  equal(foldPath('/a%20b/search.php'), '/{text}/search.php');
  equal(foldPath('/a/b/c/d/e/f/g/h'), '/a/b/c/d/e/f/{more}');
  equal(foldPath(`/${'x/'.repeat(1_500)}`), undefined);
  equal(foldWide('/shop/red-shoes/buy', new Set(['/shop'])), '/shop/{text}/buy');
  equal(foldWide('/shop/', new Set(['/shop'])), '/shop/');
  equal(foldName('items[3].note'), 'items[*].note');
  equal(foldName('a b'), undefined);
  equal(foldName('x'.repeat(81)), undefined);
});

test('listLearnedValues lists named values of query and body, and no files or passwords', () => {
  const form = {
    query: 'a=1&b=',
    contentType: 'application/x-www-form-urlencoded',
    body: 'c=x%20y&password=q',
  };
  deepEqual(listLearnedValues(form), [
    { place: 'argument', name: 'a', value: '1' },
    { place: 'form field', name: 'c', value: 'x y' },
  ]);
  const json = { query: '', contentType: 'application/json', body: '{"items":[{"note":"a\\"b"}],"n":3}' };
  deepEqual(listLearnedValues(json), [
    { place: 'JSON value', name: 'items[0].note', value: 'a"b' },
    { place: 'JSON value', name: 'n', value: '3' },
  ]);
  const parts = ['name="t"\r\n\r\nhello', 'name="f"; filename="a.png"\r\n\r\nbytes'];
  const body = `${parts.map((part) => `--b\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--b--\r\n`;
  deepEqual(listLearnedValues({ query: '', contentType: 'multipart/form-data; boundary=b', body }), [
    { place: 'multipart field', name: 't', value: 'hello' },
  ]);
});

test('mergeSamples is a union in any order, estimates networks, and forgets old ones', () => {
  const [a, b] = [learn(['17'], 400), learn(['17'], 400, 300)];
  deepEqual(mergeSamples(a, b), mergeSamples(b, a));
  deepEqual(mergeSamples(mergeSamples(a, b), b), mergeSamples(a, b));
  const networks = countNetworks(mergeSamples(a, b));
  ok(networks > 400 && networks < 1_100, `700 networks are about ${networks}`);
  equal(countNetworks(learn(['17'], 30)), 30);
  deepEqual(decodeSample(encodeSample(a)), a);
  equal(decodeSample('AAAA'), undefined);
  equal(decodeSample(Buffer.alloc(24).toString('base64')), undefined);
  deepEqual(dropOld(a, day + 40), []);
});

test('LearnedValues raises what is far out, and says from how many requests it knows', () => {
  const numbers = learn(['17', '4', '120']);
  const found = look(numbers, "17 and 'a'");
  equal(found?.effect, 'raised');
  equal(found?.isActing, true);
  match(
    found.note,
    /^values of "q" on \/product\/\{number\} are numbers, up to 4 characters, in 1000 requests from about \d\d networks since 2026-11-16; this one has quotes, spaces, another form/,
  );
  equal(look(numbers, "17 and 'a'", 'watching')?.isActing, false);
  equal(look(numbers, '17.5'), undefined, 'one surprise is not enough');
  const profile: LearnedProfile = { seed, wide: [], values: [describe(numbers)] };
  equal(new LearnedValues(profile, 'acting').look('/other', 'argument', 'q', "17 and 'a'"), undefined);
});

test('LearnedValues lowers what has only signs that many networks send', () => {
  const texts = learn([
    'Use `a; b` (or "c") in /etc.',
    'I like it; "very" much (`x`) a/b.',
    'plain words here',
  ]);
  equal(look(texts, 'Try `c; d` ("e") /tmp.')?.effect, 'lowered');
  equal(look(texts, 'Try <b> `c; d`'), undefined, 'one sign that nobody sends: neither');
  equal(look(texts, `${'`c; d` '.repeat(1_000)}`)?.effect, undefined);
});

test('one network teaches nothing, however much it sends', () => {
  let sample = learn(['17', '4']);
  const before = describe(sample);
  for (let round = 0; round < 50; round++)
    sample = mergeSamples(sample, learn(["<script>alert('x');"], 1, 1_000));
  const after = describe(sample);
  equal(after.rareSigns, before.rareSigns);
  equal(after.usualSigns, before.usualSigns);
  equal(look(sample, "<script>alert('x');")?.effect, 'raised');
});

test('a batch is bounded by values, networks and what one network may add', () => {
  const batch = new Batch(seed);
  const add = (network: number, path: string): void =>
    batch.add({
      ip: parseIp(`10.${network >> 8}.${network & 255}.7`)!,
      path,
      values: Array.from({ length: 60 }, (_, index) => ({
        place: 'argument' as const,
        name: `n${index}`,
        value: 'x',
      })),
      day,
    });
  for (let request = 0; request < 100; request++) add(1, `/page${request}x`);
  const { requests, values } = batch.toMessage();
  equal(requests, 20);
  equal(values.length, 30);
  for (let network = 2; network < 400; network++) add(network, `/page${network}x`);
  equal(batch.toMessage().values.length, 200);
});

test('what counts is known from enough requests, networks and time', () => {
  const dayMs = 86_400_000;
  const known = { requests: 200, firstMs: 0, sample: learn(['17'], 20) };
  ok(isKnownEnough(known, dayMs));
  ok(!isKnownEnough({ ...known, requests: 199 }, dayMs));
  ok(!isKnownEnough(known, dayMs - 1));
  ok(!isKnownEnough({ ...known, sample: learn(['17'], 19) }, dayMs));
  equal(
    describeShape(describe(learn(['a word', 'b. c']))),
    'words and sentences with dots, spaces, up to 8 characters',
  );
});
