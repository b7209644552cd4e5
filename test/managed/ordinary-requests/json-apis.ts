/** JSON and GraphQL as applications send it. */
import { api, each } from './request.ts';

const bodies: readonly (readonly [method: string, url: string, body: unknown])[] = [
  [
    'POST',
    '/api/orders',
    { items: [{ sku: 'JKT-001', quantity: 2, price: 89.5 }], coupon: null, total: 179 },
  ],
  [
    'PATCH',
    '/api/orders/10',
    [
      { op: 'replace', path: '/status', value: 'shipped' },
      { op: 'remove', path: '/note' },
    ],
  ],
  [
    'POST',
    '/api/v2/search',
    {
      query: {
        bool: { must: [{ match: { title: 'union' } }], filter: [{ range: { price: { gte: 10, lte: 20 } } }] },
      },
      sort: [{ _score: 'desc' }],
      size: 20,
    },
  ],
  ['POST', '/api/find', { where: { price: { $gt: 5, $lt: 10 }, tags: { $in: ['a', 'b'] } }, limit: 10 }],
  [
    'POST',
    '/api/events',
    {
      batch: [
        {
          type: 'track',
          event: 'Product Viewed',
          properties: { price: 9.99, url: 'https://www.example.com/p/1?ref=a&b=c' },
          context: { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' },
        },
      ],
    },
  ],
  [
    'POST',
    '/api/v1/logs',
    {
      level: 'error',
      message: "TypeError: Cannot read properties of undefined (reading 'map')",
      stack: 'TypeError: x\n    at f (https://www.example.com/static/js/main.js:1:2345)\n    at <anonymous>',
    },
  ],
  [
    'POST',
    '/api/geo',
    {
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [13.4, 52.5] },
          properties: { name: "St. Mary's" },
        },
      ],
    },
  ],
  [
    'POST',
    '/api/ld',
    {
      '@context': 'https://schema.org',
      '@type': 'Organization',
      name: 'Example',
      url: 'https://www.example.com',
    },
  ],
  [
    'POST',
    '/api/jsonapi',
    {
      data: {
        type: 'articles',
        attributes: { title: 'Drop the table' },
        relationships: { author: { data: { type: 'people', id: '9' } } },
      },
    },
  ],
  ['POST', '/rpc', { jsonrpc: '2.0', method: 'subtract', params: { subtrahend: 23, minuend: 42 }, id: 3 }],
  [
    'POST',
    '/api/notebook',
    {
      cells: [
        { cell_type: 'code', source: ['import pandas as pd\n', 'df = pd.read_csv("a.csv")'], outputs: [] },
      ],
      nbformat: 4,
    },
  ],
  [
    'POST',
    '/api/settings',
    { theme: 'dark', shortcuts: { save: 'Ctrl+S', find: 'Ctrl+F' }, fontSize: 14, proxy: '' },
  ],
  [
    'POST',
    '/api/rules',
    { name: 'Spam', expression: 'subject contains "sale" and not from eq "a@b.example"', enabled: true },
  ],
  [
    'POST',
    '/api/webhooks',
    {
      url: 'https://hooks.example.com/services/T000/B000/XXXX',
      events: ['push', 'pull_request'],
      secret: 's3cr3t',
    },
  ],
  ['POST', '/api/cron', { schedule: '*/5 * * * *', command: 'backup', timezone: 'Europe/Berlin' }],
  [
    'POST',
    '/api/template',
    { subject: 'Hello {{name}}', html: '<p>Hi {{name}}, {{#if vip}}welcome back{{/if}}</p>' },
  ],
  ['POST', '/api/math', { formula: '(a + b) * c / 2', variables: { a: 1, b: 2, c: 3 } }],
  [
    'POST',
    '/api/chat',
    {
      model: 'large',
      messages: [
        { role: 'system', content: 'You are helpful.' },
        { role: 'user', content: 'Explain SQL injection in one sentence, please.' },
      ],
      temperature: 0.7,
    },
  ],
  [
    'POST',
    '/api/chat',
    {
      messages: [
        { role: 'user', content: "What's the difference between 'let' and 'const'? And when do I use var?" },
      ],
    },
  ],
  [
    'POST',
    '/api/spreadsheet',
    { cells: { A1: '=SUM(B1:B9)', A2: '=IF(B2>0,"yes","no")', A3: "='Sheet 2'!C4" } },
  ],
  [
    'POST',
    '/api/board',
    {
      grid: [
        [0, 1, 0],
        [1, 0, 1],
        [[], [], []],
      ],
      moves: 'e4 e5 Nf3 Nc6 Bb5 a6',
    },
  ],
  [
    'POST',
    '/api/products/import',
    { csv: 'sku,name,price\n1,"Jacket, blue",89.50\n2,"Hat ""Classic""",19\n' },
  ],
  [
    'POST',
    '/api/translate',
    { source: 'en', target: 'de', q: ["Don't drop the table!", 'Where is the union?', 'Select one or more'] },
  ],
  [
    'POST',
    '/api/metrics',
    { series: [{ metric: 'http.requests', points: [[1718444400, 12]], tags: ['env:prod', 'host:web-1'] }] },
  ],
  [
    'POST',
    '/api/feedback',
    { rating: 5, comment: '100% great & fast; would buy again <3', page: '/products?id=1' },
  ],
  [
    'POST',
    '/api/profile',
    { bio: 'Dev; coffee & cats. He/him. C:\\> type me a line', links: ['https://example.com/~me'] },
  ],
  [
    'POST',
    '/api/payments',
    { amount: 1999, currency: 'eur', source: 'tok_1Nv0Qq2eZvKYlo2C8mQ', metadata: { order_id: '6735' } },
  ],
  ['POST', '/api/2fa', { code: '123456', token: 'eyJ0eXAiOiJKV1QifQ.e30.' }],
  [
    'POST',
    '/api/iot',
    { deviceId: 'a1b2', ts: 1718444400, readings: { temp: -3.5, hum: 40 }, fw: '1.2.3+build.7' },
  ],
  ['POST', '/api/permissions', { grant: ['read', 'write'], on: 'project:7', to: { user: 'jane' } }],
  ['POST', '/api/preview', { markdown: '`${a}` and {{b}} and <b>c</b>' }],
  [
    'PUT',
    '/api/flags',
    {
      rollout: {
        percentage: 50,
        constraints: [{ contextName: 'userId', operator: 'IN', values: ['1', '2'] }],
      },
    },
  ],
  ['DELETE', '/api/items/5', { reason: 'duplicate' }],
  ['POST', '/api/regex', { pattern: '^[\\w.+-]+@[\\w-]+\\.[\\w.]+$', flags: 'i' }],
  ['POST', '/api/paths', { files: ['src/index.ts', '../shared/types.ts', './a b/c.txt'] }],
  ['POST', '/api/shell-history', { note: 'used ls, cd and cat today; nothing special' }],
  ['POST', '/api/colors', { palette: ['#ff0000', '#0f0', 'rgb(0, 0, 255)', 'hsl(120deg 50% 50%)'] }],
  ['POST', '/api/music', { title: "Sweet Child O' Mine", artist: "Guns N' Roses", key: 'D♭' }],
  ['POST', '/api/long', { text: 'Lorem ipsum dolor sit amet, consectetur adipiscing elit; '.repeat(60) }],
  ['POST', '/api/nested', { a: { b: { c: { d: { e: { f: { g: { h: [1, { i: { j: 'deep' } }] } } } } } } } }],
  ['POST', '/api/empty', {}],
  ['POST', '/api/null', null],
];

const queries: readonly (readonly [query: string, variables?: unknown])[] = [
  ['query Me { me { id name email } }'],
  [
    'query Product($id: ID!) { product(id: $id) { id title price { amount currency } variants(first: 10) { edges { node { id sku } } } } }',
    { id: 'gid://shop/Product/1' },
  ],
  [
    'mutation Add($input: CartLineInput!) { cartLinesAdd(input: $input) { cart { id lines(first: 5) { nodes { id quantity } } } userErrors { field message } } }',
    { input: { merchandiseId: 'x', quantity: 1 } },
  ],
  [
    'query Search($q: String!, $after: String) { search(query: $q, first: 20, after: $after) { edges { cursor node { __typename ... on Post { title } ... on User { login } } } pageInfo { hasNextPage } } }',
    { q: "o'reilly union -draft", after: null },
  ],
  [
    'fragment F on User { id avatar(size: 64) } query { viewer { ...F friends(first: 3) { nodes { ...F } } } }',
  ],
  ['subscription { messageAdded(room: "general") { id text author { name } } }'],
  ['{ __typename }'],
  [
    'query { items(filter: { price: { gt: 5, lt: 10 }, or: [{ name: { like: "%a%" } }, { tag: { in: ["x", "y"] } }] }, orderBy: { price: desc }) { id } }',
  ],
  ['mutation { updatePost(id: 7, body: "It\'s <b>bold</b> & simple; select one") { id } }'],
  ['query A { a: user(id: 1) { name } b: user(id: 2) { name } c: user(id: 3) { name } }'],
];

export const jsonApis = [
  ...each('JSON API', bodies, ([method, url, body], index) => api(url, body, index, method)),
  ...each('GraphQL', queries, ([query, variables], index) =>
    api('/graphql', { operationName: null, variables, query }, index),
  ),
];
