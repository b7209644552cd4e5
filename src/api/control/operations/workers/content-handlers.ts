/** The code of Workers, as it was uploaded. */
import { randomBytes } from 'node:crypto';
import { fault, type PlainReply, workerCodes } from '#contract';
import type { ScriptCode, ScriptModule } from '../../context/worker-host.ts';
import type { ObjectsContext, ObjectsHandlers } from '../several-objects.ts';
import { requireHost, requireWorker } from './change-worker.ts';
import { moduleTypes } from './read-upload.ts';

export const contentHandlers: ObjectsHandlers<
  'workers.download' | 'workers.getContent' | 'workers.getBindingContent'
> = {
  'workers.download': (context, { path }) => readContent(context, path['script_name']!),
  'workers.getContent': (context, { path }) => readContent(context, path['script_name']!),

  async 'workers.getBindingContent'(context, { path }) {
    const { latest } = await requireWorker(context, path['script_name']!);
    if (latest === undefined) throw fault(workerCodes.noVersions);
    const name = path['binding_name']!;
    const part = latest.bindings.find((each) => each.name === name)?.['part'];
    const { modules } = await requireHost(context).readCode(latest.codeDigest);
    const module = typeof part === 'string' && Object.hasOwn(modules, part) ? modules[part] : undefined;
    if (module === undefined) throw fault(workerCodes.bindingNotFound, { fill: { name } });
    return answer('application/octet-stream', [toBytes(module)]);
  },
};

async function readContent(context: ObjectsContext, name: string): Promise<PlainReply> {
  const host = requireHost(context);
  const { latest } = await requireWorker(context, name);
  if (latest === undefined) throw fault(workerCodes.noVersions);
  const code = await host.readCode(latest.codeDigest);
  const only = Object.keys(code.modules).length === 1 ? code.modules[code.main] : undefined;
  if (only !== undefined) return answer('application/javascript', [toBytes(only)]);
  const boundary = randomBytes(16).toString('hex');
  return answer(`multipart/form-data; boundary=${boundary}`, writeForm(code, boundary));
}

function answer(contentType: string, parts: readonly Uint8Array[]): PlainReply {
  const body = (async function* () {
    yield* parts;
  })();
  return { kind: 'plain', status: 200, contentType, body };
}

function writeForm({ main, modules }: ScriptCode, boundary: string): Uint8Array[] {
  const names = [main, ...Object.keys(modules).filter((name) => name !== main)];
  const parts = names.flatMap((name) => {
    const module = modules[name]!;
    const { sentAs = name } = module;
    const head = [
      `--${boundary}`,
      `Content-Disposition: form-data; name="${sentAs}"; filename="${sentAs}"`,
      `Content-Type: ${moduleTypes[module.type]}`,
    ];
    return [Buffer.from(`${head.join('\r\n')}\r\n\r\n`), toBytes(module), Buffer.from('\r\n')];
  });
  return [...parts, Buffer.from(`--${boundary}--\r\n`)];
}

function toBytes(module: ScriptModule): Uint8Array {
  return 'text' in module ? Buffer.from(module.text) : module.bytes;
}
