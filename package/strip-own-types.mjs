/**
 * Loaded first when this package is installed under `node_modules`, where Node refuses to strip types: strips those of
 * this package, and of no other. JavaScript, because it runs before anything could strip its own types.
 */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

const sources = new URL('../', import.meta.url).href;

if (sources.includes('/node_modules/')) {
  const { emitWarning } = process;
  // The first call warns that the function is experimental; the user of this package did not choose it.
  process.emitWarning = () => {};
  stripTypeScriptTypes('');
  process.emitWarning = emitWarning;

  registerHooks({
    load(url, context, nextLoad) {
      const isOwn =
        url.startsWith(sources) &&
        url.endsWith('.ts') &&
        !url.slice(sources.length).includes('node_modules/');
      if (!isOwn) return nextLoad(url, context);
      const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'));
      return { format: 'module', source, shortCircuit: true };
    },
  });
}
