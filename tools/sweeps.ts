/** The long sweeps: the purpose of each, and its command. Those without a command here are scripts of package.json. */
export interface Sweep {
  readonly shows: string;
  /** A command line for `sh`; arguments follow it. */
  readonly run?: string;
}

export const sweeps: Readonly<Record<string, Sweep>> = {
  bench: { shows: 'how fast it is beside workerd, Node and nginx' },
  'certificates:crowd': {
    shows: 'certificates of a thousand zones at once',
    run: "GATEHOUSE_NAMES=1000 node --import ./tools/before-tests.ts --test --test-timeout=1200000 --test-name-pattern='at once' test/certificates/faults.test.ts",
  },
  clients: { shows: 'Terraform, its providers, and the SDKs for Go, Python and TypeScript' },
  conformance: { shows: 'objects and Workers answer as in workerd' },
  'conformance:bindings': {
    shows: 'KV, D1, queues, R2 and workflows answer as in miniflare',
    run: 'node tools/run-in.ts conformance bindings.ts',
  },
  crash: { shows: 'no crash loses what was acknowledged', run: 'node test/crash/explore.ts' },
  'crash:bindings': {
    shows: 'no kill loses what KV, D1, R2 and queues have acknowledged',
    run: 'node test/crash/bindings-kill.ts',
  },
  'crash:workflows': { shows: 'workflows survive kills', run: 'node test/crash/workflows-kill.ts' },
  crs: { shows: 'the promises about the OWASP Core Rule Set, with the real rules' },
  'crs:compare': {
    shows: 'the rules match as in nginx with libmodsecurity',
    run: 'node bench/owasp/compare.ts',
  },
  damage: {
    shows: 'what happens to a site whose files are damaged',
    run: 'node --import ./tools/before-tests.ts test/damage/sweep.ts',
  },
  dearest: {
    shows: 'the request that takes the managed rules longest',
    run: 'node bench/detection/dearest.ts',
  },
  detection: { shows: 'what the managed rules find and miss' },
  differential: {
    shows: 'requests by HTTP/1.1 and by HTTP/2 are judged the same',
    run: "GATEHOUSE_SEED=random GATEHOUSE_RUNS=1 GATEHOUSE_DIFFERENTIAL_RUNS=3000 node --import ./tools/before-tests.ts --test --test-timeout=3600000 --test-name-pattern='judges, forwards' test/edge/http2/differential.test.ts",
  },
  documents: {
    shows: 'every block of every page of docs/ does what the page says',
    run: 'node test/documents/run.ts',
  },
  doors: {
    shows: 'no client reaches a private address from a Worker',
    run: 'node tools/run-in.ts projects doors.ts',
  },
  everything: {
    shows: 'one of everything survives backup, restore and upgrade',
    run: 'node --import ./tools/before-tests.ts --test --test-timeout=1200000 --test-concurrency=1 test/everything/everything.test.ts test/everything/cluster.ts test/everything/upgrade.ts',
  },
  example: {
    shows: 'the worked example of CONTRIBUTING, applied to a copy',
    run: 'node tools/worked-example.ts',
  },
  executable: {
    shows: 'the single file, its image and its Debian package',
    run: 'node --import ./tools/before-tests.ts --test --test-timeout=1200000 test/package/executable.ts',
  },
  figures: { shows: 'the size and the shape of the tree', run: 'node tools/house-figures.ts' },
  formats: {
    shows:
      'rules, exceptions, explanations, masks, learning and the API read forms, cookies, JSON and escapes as the origin gets them',
    run: 'node test/fuzz/fuzz.ts --inputs 1000000 --only escapes,cookies,json-text,multipart',
  },
  fuzz: { shows: 'readers of hostile bytes', run: 'node test/fuzz/fuzz.ts' },
  'fuzz:api': { shows: 'every operation with hostile input', run: 'node test/fuzz/api/fuzz-api.ts' },
  h2spec: { shows: 'HTTP/2 as h2spec wants it', run: 'node test/edge/http2/h2spec.ts' },
  history: {
    shows: 'callers of a faulty cluster see no contradictions',
    run: 'node test/cluster/history/run.ts',
  },
  hostile: {
    shows: 'ways to end or to stall the program',
    run: 'GATEHOUSE_HOSTILE_MINUTES=${GATEHOUSE_HOSTILE_MINUTES:-60} node --import ./tools/before-tests.ts --test --test-timeout=7200000 --test-concurrency=1 test/hostile/hostile.test.ts',
  },
  jitter: {
    shows: 'test files while their processes are stopped and continued at random',
    run: 'node tools/jitter.ts',
  },
  kills: {
    shows: 'kills of every command that writes',
    run: 'KILL_STEPS=${KILL_STEPS:-all} node --import ./tools/before-tests.ts --test --test-timeout=3600000 test/kill-steps/kill-steps.test.ts',
  },
  'kills:certificates': {
    shows: 'kills while a certificate is ordered',
    run: 'node --import ./tools/before-tests.ts --test --test-timeout=1200000 test/certificates/kills.ts',
  },
  'kills:deploy': { shows: 'kills while Workers are uploaded', run: 'node test/wrangler/kills.ts' },
  limits: { shows: 'how exactly rate limits count', run: 'node bench/traffic/rate-chart.ts' },
  lives: { shows: 'our own objects in the simulator', run: 'node test/simulator/own/run.ts' },
  neighbours: {
    shows: 'what other zones and objects notice of an attack',
    run: "GATEHOUSE_NEIGHBOURS_SECONDS=30 node --import ./tools/before-tests.ts --test --test-timeout=3600000 --test-concurrency=1 'test/neighbours/*.test.ts'",
  },
  openapi: {
    shows: 'clients that others generate from the OpenAPI document',
    run: 'node tools/run-in.ts generated-clients generate.ts',
  },
  paths: { shows: 'what origins and rules make of the same path', run: 'node test/edge/paths/run.ts' },
  pebble: {
    shows: 'certificates from the test authority of Let’s Encrypt',
    run: 'node --test --test-timeout=1200000 test/certificates/pebble.ts',
  },
  pictures: {
    shows: 'every page and dialog as it was accepted',
    run: 'node test/dashboard/walk/pictures.ts',
  },
  projects: { shows: 'programs with packages from npm' },
  'projects:compare': {
    shows: 'the same programs under wrangler dev and here',
    run: 'node tools/run-in.ts projects compare.ts',
  },
  properties: {
    shows: 'property tests with as many values as they say',
    run: "GATEHOUSE_SEED=${GATEHOUSE_SEED:-random} GATEHOUSE_RUNS=${GATEHOUSE_RUNS:-1} npm run test:files $(grep -rl --include='*.test.ts' fast-check src test)",
  },
  scale: { shows: 'a simulated cluster of a thousand hosts', run: 'node test/cluster/scale/run.ts' },
  simulate: { shows: 'seeds that break a simulated cluster', run: 'node test/cluster/simulation/run.ts' },
  'simulate:planted': {
    shows: 'the simulator finds a changed line in each of 24 classes',
    run: 'node tools/run-in.ts projects/planted ../planted.ts',
  },
  soak: { shows: 'an hour with everything on', run: 'node bench/traffic/soak.ts' },
  starve: { shows: 'a cluster on a machine whose cores are all busy', run: 'node test/cluster/starve.ts' },
  stopwatch: { shows: 'the time from nothing to the first event', run: 'node test/package/stopwatch.ts' },
  'test:cluster': { shows: 'the suites on a cluster' },
  'test:hosts': {
    shows: 'the suites on two object hosts',
    run: "GATEHOUSE_OBJECT_HOSTS=2 node --import ./tools/before-tests.ts --test --test-timeout=600000 'test/sdk/*.test.ts' 'test/control/migration*.test.ts' 'test/server/*.test.ts'",
  },
  'test:pooler': {
    shows: 'a cluster through PgBouncer',
    run: 'node --test --test-timeout=1200000 test/cluster/pooler/through-pgbouncer.ts',
  },
  'test:slow-pages': {
    shows: 'the dashboard with slow requests',
    run: 'GATEHOUSE_SLOW_PAGES=500 npm run test:pages',
  },
  'test:workers': {
    shows: 'the edge with a worker process',
    run: "GATEHOUSE_EDGE_WORKERS=1 node --import ./tools/before-tests.ts --test --test-timeout=300000 'test/edge/*.test.ts' 'test/server/*.test.ts' 'test/cli/*.test.ts'",
  },
  uploads: { shows: 'files of twelve kinds through a protected site', run: 'node test/uploads/run.ts' },
  vandals: {
    shows: 'a Worker that breaks everything it can reach',
    run: 'GATEHOUSE_VANDALS=200 node --import ./tools/before-tests.ts --test --test-timeout=3600000 test/realm/vandals.test.ts',
  },
  'vitest:compare': {
    shows: 'projects with tests for Vitest under the original and here',
    run: 'node vitest/compare.ts',
  },
  workers: {
    shows: 'kills of edge workers during 10,000 changes',
    run: "GATEHOUSE_SWEEP_CHANGES=10000 node --test --test-timeout=3600000 --test-name-pattern='older version' test/edge/workers.test.ts",
  },
  wrangler: { shows: 'Wrangler from npm, three versions' },
  'wrangler:projects': {
    shows: 'programs and templates deployed by Wrangler',
    run: 'node tools/run-in.ts projects deployed.ts',
  },
};
