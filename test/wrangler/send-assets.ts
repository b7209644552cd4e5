/** Static assets as Wrangler sends them: a session, then what is missing by its hash. */
import { ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Envelope, UploadSite } from './upload-site.ts';

export type Files = Readonly<Record<string, string>>;

export const hashOf = (content: string): string => createHash('md5').update(content).digest('hex');

export function describe(files: Files): Record<string, { hash: string; size: number }> {
  const entries = Object.entries(files).map(([path, content]) => [
    path,
    { hash: hashOf(content), size: Buffer.byteLength(content) },
  ]);
  return Object.fromEntries(entries);
}

export async function post(
  site: UploadSite,
  path: string,
  jwt: string,
  body: string | FormData,
): Promise<{ readonly status: number; readonly json: Envelope }> {
  const answer = await fetch(
    `${site.ready.api}/accounts/${site.ready.account_id}/workers/assets/upload${path}`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${jwt}` },
      body,
    },
  );
  return { status: answer.status, json: (await answer.json()) as Envelope };
}

/** Sends what is missing, one by one; answers the token for the upload. */
export async function send(site: UploadSite, worker: string, files: Files): Promise<string> {
  const { result } = await site.call(`POST W/${worker}/assets-upload-session`, { manifest: describe(files) });
  let { jwt } = result;
  for (const hash of result.buckets.flat()) {
    const content = Object.values(files).find((each) => hashOf(each) === hash)!;
    const { status, json } = await post(site, `/${hash}`, result.jwt, content);
    ok(status === 202 || status === 201, JSON.stringify(json));
    jwt = json.result.jwt ?? jwt;
  }
  return jwt;
}

export function only(metadata: object): FormData {
  const form = new FormData();
  form.set('metadata', JSON.stringify({ compatibility_date: '2026-03-01', ...metadata }));
  return form;
}
