#include "command/command.h"

int main(int argc, char **argv)
{
    return boothlink_main(argc, argv);
}
