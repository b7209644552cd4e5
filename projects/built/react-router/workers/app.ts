import { createRequestHandler } from 'react-router';

// @ts-ignore: made by the build
const handle = createRequestHandler(() => import('virtual:react-router/server-build'), 'production');

export default { fetch: (request: Request) => handle(request) };
