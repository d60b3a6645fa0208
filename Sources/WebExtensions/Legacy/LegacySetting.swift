/// A setting.
struct LegacySetting: Equatable {}
