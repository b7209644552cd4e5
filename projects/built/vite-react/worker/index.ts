export default {
  fetch(request: Request): Response {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/api/')) return Response.json({ name: 'Cloudflare', pathname });
    return new Response(null, { status: 404 });
  },
};
