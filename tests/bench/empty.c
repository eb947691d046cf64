/* An empty program: the yardstick of bench_start. */
int main(void)
{
    return 0;
}
