/** Made when it is built. */
export default function About() {
  return <p>made when it was built</p>;
}
