export const GET = ({ params }: { params: { id: string } }) => Response.json({ id: params.id });
