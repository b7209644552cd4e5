import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { emptyGeoDatabase } from '#edge';
import { CompiledZone } from '#firewall';
import { managedParts } from '#managed';
import { configurationOf } from '../../rules/firewall/testing.ts';
import { replay } from './replay.ts';
import { readJsonLine } from './traffic/json-line.ts';

const zone = new CompiledZone(
  configurationOf({
    zone: { id: 'a', name: 'a.example', plan: 'free', accountId: 'b' },
    entryPoints: [
      {
        ...{ id: 'c', name: 'default', description: '', kind: 'zone', version: '1', last_updated: '' },
        phase: 'gatehouse_ask',
        rules: [
          {
            ...{ id: 'd', ref: 'session', version: '1', last_updated: '', enabled: true },
            action: 'forward_auth',
            expression: 'not http.request.uri.path eq "/open"',
            action_parameters: { url: 'https://b.example/', default_action: 'block' },
          },
        ],
      },
    ],
  }),
  managedParts,
);

test('replay asks nobody: recorded answers count, or defaults, and it says how often', async () => {
  const lines = [
    { url: '/open' },
    { url: '/a' },
    { url: '/b', asked: [{ ref: 'session', status: 204 }] },
    { url: '/c', asked: [{ ref: 'session', status: 403 }] },
    { url: '/d', asked: [{ ref: 'session', status: 204, action: 'js_challenge' }] },
    { url: '/e', asked: [{ ref: 'other', status: 204 }, 7, { ref: 'session', status: 'x' }] },
  ];
  const defaults = { host: 'a.example', hostOverride: undefined, ip: '192.0.2.1' };
  const verdicts: string[] = [];
  const counts = await replay({
    traffic: {
      file: '',
      format: 'json',
      bytes: 0,
      async *read() {
        for (const line of lines) yield readJsonLine(JSON.stringify(line), defaults);
      },
    },
    zones: [zone],
    geo: emptyGeoDatabase,
    onJudged: ({ target }, [judgement]) => verdicts.push(`${target} ${judgement!.verdict.kind}`),
  });
  deepEqual(verdicts, ['/open pass', '/a block', '/b pass', '/c block', '/d challenge', '/e block']);
  deepEqual([counts.answersRecorded, counts.answersMissing], [3, 2]);
});
