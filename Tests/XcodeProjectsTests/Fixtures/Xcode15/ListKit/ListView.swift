import WidgetKit

struct ListView: Widget {
}
