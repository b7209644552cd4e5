export default function NotFound() {
  return <p>nothing here</p>;
}
