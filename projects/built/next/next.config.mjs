export default {
  redirects: () => [{ source: '/old', destination: '/users/5', permanent: false }],
  headers: () => [{ source: '/api', headers: [{ key: 'x-by', value: 'next' }] }],
  poweredByHeader: false,
};
