/** The Worker of a project that has only assets: they answer every request, so this is never called. */
const handlers = { fetch: (): Response => new Response(null, { status: 404 }) };

export { handlers as default };
