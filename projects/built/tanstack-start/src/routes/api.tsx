import { createFileRoute } from '@tanstack/react-router';

export const Route = createFileRoute('/api')({
  server: { handlers: { GET: ({ request }) => Response.json({ query: new URL(request.url).search }) } },
});
