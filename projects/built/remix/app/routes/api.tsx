export const loader = ({ request }: { request: Request }) =>
  Response.json({ query: new URL(request.url).search });
