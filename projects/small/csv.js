import Papa from 'papaparse';

export default {
  async fetch(request) {
    const { data, errors } = Papa.parse((await request.text()) || 'a,b\n1,"2,3"\n', {
      header: true,
      skipEmptyLines: true,
    });
    return Response.json({ data, errors, back: Papa.unparse(data) });
  },
};
